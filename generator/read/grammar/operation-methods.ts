/** The fields of a path item that hold an operation (OpenAPI 3.2, path item object), in its order. */
export const operationMethods: readonly string[] = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
];
