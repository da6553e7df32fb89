import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { transformFile } from '@swc/core'

/** Every package that a process of the mesh may be made of. */
const PACKAGES = '{gateway,services/*,libs/*}'

/** `rewriteRelativeImportExtensions`, which its types lack, has './x.ts' name './x.js'. */
const OPTIONS = {
  swcrc: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: { parser: { syntax: 'typescript' }, target: 'es2024', rewriteRelativeImportExtensions: true },
} as const

/** Compiles the sources of every package from src to dist, with source maps, and answers how many files these were. */
export async function compile(root: string): Promise<number> {
  for (const old of globSync(`${PACKAGES}/dist`, { cwd: root })) rmSync(join(root, old), { recursive: true })
  const sources = globSync(`${PACKAGES}/src/**/*.ts`, { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  await Promise.all(sources.map((source) => compileFile(root, source)))
  return sources.length
}

async function compileFile(root: string, source: string): Promise<void> {
  const target = join(root, source.replace('/src/', '/dist/').replace(/\.ts$/, '.js'))
  const { code, map } = await transformFile(join(root, source), { ...OPTIONS, sourceFileName: basename(source) })
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`)
  if (map) writeFileSync(`${target}.map`, map)
}
