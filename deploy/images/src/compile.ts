import { randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { transformFile } from '@swc/core'

/** Every package that a process of the mesh may be made of. */
export const PACKAGES = '{gateway,services/*,libs/*}'
const PARTS = '.local/cache/compiling'
/** `rewriteRelativeImportExtensions`, which its types lack, has './x.ts' name './x.js'. */
const OPTIONS = {
  swcrc: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: { parser: { syntax: 'typescript' }, target: 'es2024', rewriteRelativeImportExtensions: true },
} as const

/**
 * Compiles the sources of every package from src to dist, with source maps, and answers how many files these were. What is
 * there as it should be is left as it is, so that nobody who watches is told of it.
 */
export async function compile(root: string): Promise<number> {
  const sources = globSync(`${PACKAGES}/src/**/*.ts`, { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const wanted = new Set(sources.map(targetOf).flatMap((target) => [target, `${target}.map`]))
  for (const old of globSync(`${PACKAGES}/dist/**/*.{js,map}`, { cwd: root }))
    if (!wanted.has(old)) rmSync(join(root, old))
  await Promise.all(sources.map((source) => compileFile(root, source)))
  return sources.length
}

/** Compiles one source; removes what was compiled of it where it is gone. Answers whether that changed anything. */
export async function compileFile(root: string, source: string): Promise<boolean> {
  const target = join(root, targetOf(source))
  if (!existsSync(join(root, source))) {
    const was = existsSync(target)
    for (const file of [target, `${target}.map`]) rmSync(file, { force: true })
    return was
  }
  const { code, map } = await transformFile(join(root, source), { ...OPTIONS, sourceFileName: basename(source) })
  mkdirSync(dirname(target), { recursive: true })
  // The map first: who is told of the code finds it.
  if (map) write(root, `${target}.map`, map)
  return write(root, target, `${code}//# sourceMappingURL=${basename(target)}.map\n`)
}

const targetOf = (source: string) => source.replace('/src/', '/dist/').replace(/\.ts$/, '.js')

function write(root: string, file: string, text: string): boolean {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false
  // Never half: another build may put it into an image at this moment.
  mkdirSync(join(root, PARTS), { recursive: true })
  const part = join(root, PARTS, randomUUID())
  writeFileSync(part, text)
  renameSync(part, file)
  return true
}
