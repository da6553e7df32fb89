// Runs a program, and runs it anew when it is told to (SIGHUP), or when a file below a watched folder changes. A program that
// ends by itself is started again later, as its database may be there by then, or by the change that mends it. For development alone: nothing that is deployed has it.
// The next one is always there already, held (spare.mjs): it has loaded what is not ours.
//   node live.mjs [--watch FOLDER ...] -- NODE [WORD ...] FILE
import { spawn } from 'node:child_process'
import { globSync, realpathSync, statSync, watch } from 'node:fs'

/** For what comes of one save, or of one copy. */
const SETTLED_AFTER_MS = 30
/** Then it is killed: whoever waits for a change does not wait for what runs. */
const STOPPED_WITHIN_MS = 1_000
const AGAIN_AFTER_MS = 5_000
const SPARE_AFTER_MS = 2_000
const SIGNALS = ['SIGINT', 'SIGTERM']

const words = process.argv.slice(2)
const at = words.indexOf('--')
const [program, ...its] = words.slice(at + 1)
const watched = words.slice(0, at).filter((word) => word !== '--watch')

let child
let spare
let isEnding = false
let settling
let watchers = []
/** Packages of others that the program has loaded, which the next may load beforehand. */
let load = []

/** The program, held until it is told to go. */
function spawned() {
  const path = (name) => new URL(name, import.meta.url).href
  const words = ['--import', path('spare.mjs'), ...its.slice(0, -1), '--import', path('hold.mjs'), its.at(-1)]
  const made = spawn(program, words, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  const one = { process: made, ours: undefined }
  made.on('message', ({ ours, ofOthers }) => {
    if (ours) one.ours = ours
    if (ofOthers) load = ofOthers
  })
  made.on('error', () => {})
  return one
}

function start() {
  const isUsable = spare && isRunning(spare.process) && spare.ours?.every(([file, at]) => modifiedAt(file) === at)
  if (!isUsable) spare?.process.kill('SIGKILL')
  const { process: own } = isUsable ? spare : spawned()
  spare = undefined
  child = own
  own.send({ go: true }, () => {})
  own.once('exit', (code) => {
    if (isEnding) process.exit(code ?? 1)
    if (child === own) soon(AGAIN_AFTER_MS)
  })
  setTimeout(makeSpare, SPARE_AFTER_MS, own).unref()
  // Each folder for itself, looked for at each start: what is made anew is seen, and what is replaced.
  const folders = watched.flatMap((folder) => [folder, ...globSync(`${folder}/**/`, { exclude: isForeign })])
  for (const one of watchers) one.close()
  watchers = [...new Set(folders.map((folder) => realpathSync(folder)))].map((folder) =>
    watch(folder, (_, name) => isSource(name) && soon()),
  )
}

/** So that the next change waits for our code alone. */
function makeSpare(beside) {
  if (isEnding || spare || child !== beside || !isRunning(beside) || load.length === 0) return
  spare = spawned()
  spare.process.send({ load }, () => {})
}

const isRunning = (one) => one.exitCode === null && one.signalCode === null
const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs
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
  if (!before || !isRunning(before)) return before && start()
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
    spare?.process.kill('SIGKILL')
    if (!child || !isRunning(child)) process.exit(0)
    child.kill(signal)
  })
start()
