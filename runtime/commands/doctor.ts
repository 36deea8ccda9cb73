import { type Command, exitCode } from './command.ts';
export const doctor: Command = async () => exitCode.success;
