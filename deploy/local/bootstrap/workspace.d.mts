export const root: string
/** The program of pnpm as the bootstrap's lockfile has it, installed where it is missing, which is told. */
export function installedPnpm(say: (line: string) => void): string
