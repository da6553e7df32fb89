import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** A file of the repository; the path is relative to its root. */
export interface File {
  path: string
  text: string
}

/** The files that the patterns name, without what is installed or generated. */
export async function files(...patterns: string[]): Promise<File[]> {
  const found: File[] = []
  for await (const path of glob(patterns, {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'gen',
  })) {
    found.push({ path, text: readFileSync(join(root, path), 'utf8') })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** What a source imports: names of packages as they stand, files of the repository as paths from its root. */
export function importsOf({ path, text }: File): string[] {
  const specifiers = [...text.matchAll(/(?:^|[\s;{}])(?:from\s*|import\s*\(?\s*)'([^'\n]+)'/g)].map(
    ([, name]) => name ?? '',
  )
  return specifiers.map((name) => (name.startsWith('.') ? relative(root, join(root, dirname(path), name)) : name))
}
