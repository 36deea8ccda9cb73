import type { CompiledQuery, Kysely } from 'kysely';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';

/** What can stand for a value that differs each time. */
type Value = string | number;

/** Stands in a query where a value comes. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * Put a query together once, and give what runs it with other values each time: putting it together
 * takes longer than all else that the asking thread has to do for it.
 *
 * @param build makes the query of what it is given, which stands for the values and is none itself
 */
export function prepared<Values extends Readonly<Record<string, Value>>, Row>(
  db: () => Kysely<IdentityTables>,
  names: readonly (keyof Values & string)[],
  build: (slots: Values) => Compilable<Row>,
): (values: Values) => Promise<readonly Row[]> {
  let made: CompiledQuery<Row> | undefined;
  return async (values) => {
    made ??= build(slotsOf<Values>(names)).compile();
    const parameters = made.parameters.map((each) =>
      each instanceof Slot ? values[each.name] : each,
    );
    return (await db().executeQuery<Row>({ ...made, parameters })).rows;
  };
}

/** Queries take them as they take the values: nothing looks at either before the query runs. */
function slotsOf<Values>(names: readonly (keyof Values & string)[]): Values {
  return Object.fromEntries(names.map((name) => [name, new Slot(name)])) as unknown as Values;
}
