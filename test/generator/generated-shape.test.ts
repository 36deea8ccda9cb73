import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Node, Project, type SourceFile, SyntaxKind } from 'ts-morph';
import { parse } from 'yaml';

// What a careful person would have typed: read as code, whatever made it.

const home = join(import.meta.dirname, '../..');
const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
const files = new Map(
  globSync('generated/**/*.ts', { cwd: home }).map((path) => [
    path,
    project.createSourceFile(`/${path}`, readFileSync(join(home, path), 'utf8')),
  ]),
);

const casts = [SyntaxKind.AsExpression, SyntaxKind.NonNullExpression, SyntaxKind.AnyKeyword];

/** Names that a file uses outside of its imports, and where it claims what it does not show. */
function partsOf(file: SourceFile): { readonly used: Set<string>; readonly claims: Node[] } {
  const used = new Set<string>();
  const claims: Node[] = [];
  file.forEachDescendant((node, traversal) => {
    if (Node.isImportDeclaration(node)) traversal.skip();
    else if (Node.isIdentifier(node)) used.add(node.getText());
    // `as const` claims nothing that the value does not have.
    else if (casts.includes(node.getKind()) && !node.getText().endsWith(' as const')) {
      claims.push(node);
    }
  });
  return { used, claims };
}

function problemsOf(path: string, file: SourceFile): string[] {
  const { used, claims } = partsOf(file);
  const imports = file.getImportDeclarations();
  const unused = imports
    .flatMap((declaration) => declaration.getNamedImports())
    .filter((name) => !used.has(name.getName()));
  const strange = imports.filter(
    (declaration) => !/^(?:#contract\/|#surface\/|\.)/.test(declaration.getModuleSpecifierValue()),
  );
  return [
    ...project
      .getProgram()
      .getSyntacticDiagnostics(file)
      .map((found) => `${path}: ${found.getMessageText()}`),
    ...unused.map((name) => `${path}: ${name.getName()} is imported and not used`),
    ...strange.map((declaration) => `${path}: ${declaration.getText()}`),
    ...claims.map((node) => `${path}: ${node.getText().slice(0, 80)}`),
    ...(file.getDefaultExportSymbol() === undefined ? [] : [`${path}: a default export`]),
  ];
}

test('every generated file parses, imports what it uses, and has neither cast nor default export', () => {
  assert.ok(files.size > 100);
  assert.deepEqual(
    [...files].flatMap(([path, file]) => problemsOf(path, file)),
    [],
  );
});

test('a problem of each kind would be found', () => {
  const bad =
    "import { a, b } from 'left-pad';\nexport const x = a as any;\nexport default x!;\nlet = ;";
  const found = problemsOf('bad.ts', project.createSourceFile('/bad.ts', bad)).join('\n');
  for (const part of [
    'b is imported',
    'left-pad',
    'a as any',
    'x!',
    'a default export',
    'expected',
  ]) {
    assert.ok(found.includes(part), `${part} is missing in:\n${found}`);
  }
});

/** What each exported `defineTool` of a file calls its tool, by the name of the constant. */
function toolsOf(file: SourceFile): [constant: string, tool: string][] {
  return file.getVariableDeclarations().flatMap((declaration) => {
    const call = declaration.getInitializer();
    if (!Node.isCallExpression(call) || call.getExpression().getText() !== 'defineTool') return [];
    assert.ok(declaration.isExported(), `${declaration.getName()} is not exported`);
    const [definition] = call.getArguments();
    const name = Node.isObjectLiteralExpression(definition)
      ? definition.getPropertyOrThrow('name').getFirstChildByKindOrThrow(SyntaxKind.StringLiteral)
      : undefined;
    return [[declaration.getName(), name?.getLiteralText() ?? '']];
  });
}

for (const curation of globSync('specs/providers/*/curation.yaml', { cwd: home }).toSorted()) {
  const [, , id = ''] = curation.split(/[\\/]/);
  test(`${id} has one exported tool for each curated operation, by its name`, () => {
    const own = [...files].filter(([path]) => path.startsWith(`generated/providers/${id}/`));
    const tools = own.flatMap(([, file]) => toolsOf(file));
    const { operations } = parse(readFileSync(join(home, curation), 'utf8'));
    assert.deepEqual(
      tools.map(([, tool]) => tool).toSorted(),
      operations.map(({ name }: { name: string }) => name).toSorted(),
    );
    assert.equal(new Set(tools.map(([constant]) => constant)).size, tools.length);
    for (const [, file] of own) {
      // Each has a comment that says what it is for and where it comes from.
      for (const [constant] of toolsOf(file)) {
        const statement = file
          .getVariableDeclarationOrThrow(constant)
          .getVariableStatementOrThrow();
        assert.match(
          statement.getJsDocs()[0]?.getInnerText() ?? '',
          /^.+\.\n\n.+\s\(specs\/.+\)$/s,
        );
      }
    }
  });
}
