import {
  type FragmentDefinitionNode,
  Kind,
  parse,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql/language';
import { type OutputNode, objectNode, unknownNode } from './output-node.ts';

type Members = ReadonlyMap<string, OutputNode>;

/**
 * What a GraphQL document asks for: the answer's `data` has the fields of the selection. Of what
 * types they are, the description of all `answers` of the endpoint may say.
 */
export function selectionNode(text: string, answers: OutputNode = unknownNode): OutputNode {
  const { definitions } = parse(text);
  const operation = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) return unknownNode;
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const known = answers.members().get('data') ?? unknownNode;
  const data = selectedMembers(operation.selectionSet, known, new Fragments(fragments));
  return objectNode(new Map([['data', objectNode(data)]]));
}

/** The selections of fragments; one that contains itself adds nothing to itself. */
class Fragments {
  readonly #definitions: readonly FragmentDefinitionNode[];
  readonly #members = new Map<string, Map<OutputNode, Members>>();

  constructor(definitions: readonly FragmentDefinitionNode[]) {
    this.#definitions = definitions;
  }

  /** The fields of a fragment of an object of which `known` is known. */
  membersOf(name: string, known: OutputNode): Members {
    const found = this.#members.get(name) ?? new Map<OutputNode, Members>();
    this.#members.set(name, found);
    const before = found.get(known);
    if (before !== undefined) return before;
    found.set(known, new Map());
    const definition = this.#definitions.find((fragment) => fragment.name.value === name);
    const members = definition ? selectedMembers(definition.selectionSet, known, this) : new Map();
    found.set(known, members);
    return members;
  }
}

function selectedMembers(
  { selections }: SelectionSetNode,
  known: OutputNode,
  fragments: Fragments,
): Members {
  return new Map(selections.flatMap((selection) => membersBy(selection, known, fragments)));
}

function membersBy(
  selection: SelectionNode,
  known: OutputNode,
  fragments: Fragments,
): [string, OutputNode][] {
  switch (selection.kind) {
    case Kind.INLINE_FRAGMENT:
      return [...selectedMembers(selection.selectionSet, known, fragments)];
    case Kind.FRAGMENT_SPREAD:
      return [...fragments.membersOf(selection.name.value, known)];
    case Kind.FIELD: {
      const { name, alias, selectionSet } = selection;
      const field = known.members().get(name.value) ?? unknownNode;
      const node =
        selectionSet === undefined ? field : selectedFrom(field, selectionSet, fragments);
      return [[(alias ?? name).value, node]];
    }
  }
}

/** A selection does not say whether it is of one object or of a list of them. */
function selectedFrom(
  field: OutputNode,
  selectionSet: SelectionSetNode,
  fragments: Fragments,
): OutputNode {
  const item = field.items();
  const members = selectedMembers(selectionSet, item ?? field, fragments);
  const isList = field.types.size === 0 || field.types.has('array');
  const items = isList ? objectNode(members) : undefined;
  return { types: field.types, members: () => members, items: () => items };
}
