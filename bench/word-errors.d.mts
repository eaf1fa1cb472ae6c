export function wordErrors(spoken: string, heard: string): { errors: number; words: number };
