import type { ScriptLimits } from '#contract/house/sandbox';

export const defaultLimits: ScriptLimits = {
  memoryBytes: 32 * 1024 * 1024,
  cpuMs: 1000,
  stackBytes: 256 * 1024,
  calls: 100,
  callsAtOnce: 8,
  argumentCharacters: 256 * 1024,
  answerCharacters: 1024 * 1024,
  resultCharacters: 256 * 1024,
  outputCharacters: 16 * 1024,
};
