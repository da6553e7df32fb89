// Compiles what changes, as long as it runs: src → dist of every package, as `npm run build` does for all of them. Prints a line
// for each file that came out otherwise. What does not compile is said, and the next change is waited for.
import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile, compileFile, PACKAGES } from './compile.ts'
import { watchFolders } from './watch-folders.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
/** An editor that saves tells of it in several ways. */
const SETTLED_AFTER_MS = 20
const settling = new Map<string, NodeJS.Timeout>()

const folders = globSync(`${PACKAGES}/src`, { cwd: root }).map((folder) => join(root, folder))
watchFolders(folders, (file) => {
  if (file.endsWith('.ts') && !file.endsWith('.test.ts')) changed(relative(root, file))
})
console.log(`compiled ${await compile(root)} files; what changes is compiled`)

function changed(source: string): void {
  clearTimeout(settling.get(source))
  settling.set(
    source,
    setTimeout(() => void compiled(source), SETTLED_AFTER_MS),
  )
}

async function compiled(source: string): Promise<void> {
  settling.delete(source)
  try {
    if (await compileFile(root, source)) console.log(source)
  } catch (error) {
    console.error(String(error))
  }
}
