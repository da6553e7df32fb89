// Runs a program, and runs it anew when it is told to (SIGHUP), or when a file below a watched folder changes. A program that
// ends by itself is started again later, as its database may be there by then, or by the change that mends it. For development alone: nothing that is deployed has it.
//   node live.mjs [--watch FOLDER ...] -- PROGRAM [WORD ...]
import { spawn } from 'node:child_process'
import { globSync, realpathSync, watch } from 'node:fs'

/** For what comes of one save, or of one copy. */
const SETTLED_AFTER_MS = 30
/** Then it is killed: whoever waits for a change does not wait for what runs. */
const STOPPED_WITHIN_MS = 1_000
const AGAIN_AFTER_MS = 5_000
const SIGNALS = ['SIGINT', 'SIGTERM']

const words = process.argv.slice(2)
const at = words.indexOf('--')
const [program, ...its] = words.slice(at + 1)
const watched = words.slice(0, at).filter((word) => word !== '--watch')

let child
let isEnding = false
let settling
let watchers = []

function start() {
  child = spawn(program, its, { stdio: 'inherit' })
  const own = child
  child.once('exit', (code) => {
    if (isEnding) process.exit(code ?? 1)
    if (child === own) soon(AGAIN_AFTER_MS)
  })
  // Each folder for itself, looked for at each start: what is made anew is seen, and what is replaced.
  const folders = watched.flatMap((folder) => [folder, ...globSync(`${folder}/**/`, { exclude: isForeign })])
  for (const one of watchers) one.close()
  watchers = [...new Set(folders.map((folder) => realpathSync(folder)))].map((folder) =>
    watch(folder, (_, name) => isSource(name) && soon()),
  )
}

const isForeign = (name) => /(^|\/)(node_modules|test|dist)$/.test(name)
const isSource = (name) => /\.m?[jt]s$/.test(name) && !name.endsWith('.test.ts')

function soon(afterMs = SETTLED_AFTER_MS) {
  clearTimeout(settling)
  settling = setTimeout(again, afterMs)
}

/** One after the other: the next takes the ports of the one before. */
function again() {
  const before = child
  child = undefined
  if (!before || before.exitCode !== null || before.signalCode !== null) return before && start()
  const kill = setTimeout(() => before.kill('SIGKILL'), STOPPED_WITHIN_MS)
  before.once('exit', () => {
    clearTimeout(kill)
    start()
  })
  before.kill('SIGTERM')
}

process.on('SIGHUP', () => soon())
for (const signal of SIGNALS)
  process.on(signal, () => {
    isEnding = true
    if (!child || child.exitCode !== null || child.signalCode !== null) process.exit(0)
    child.kill(signal)
  })
start()
