/** What is used of WebAssembly: the types of Node leave it to those of browsers. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }

  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(size: { readonly initial: number; readonly maximum: number });
  }

  function compile(bytes: Uint8Array): Promise<Module>;
}
