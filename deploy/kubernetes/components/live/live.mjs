// Runs a program, and runs it anew when it is told to (SIGHUP), or when a file below a watched folder changes. A program that
// ends by itself is started again later, as its database may be there by then, or by the change that mends it. For development
// alone: nothing that is deployed has it.
// The next one is always there already, held (spare.mjs): it has loaded what is not ours, and loads the rest while the one before
// it ends.
//   node live.mjs [--watch FOLDER ...] -- NODE [WORD ...] FILE
import { spawn } from 'node:child_process'
import { globSync, realpathSync, statSync, watch } from 'node:fs'
import { cpus } from 'node:os'

/** For what comes of one save, or of one copy. */
const SETTLED_AFTER_MS = 30
/** Then it is killed: whoever waits for a change does not wait for what runs. */
const STOPPED_WITHIN_MS = 1_000
const AGAIN_AFTER_MS = 5_000
/** What starts comes first: the spare is made once so much of a core has nothing to do, or has been waited for for so long. */
const IDLE_CORES = 0.8
const SPARE_WITHIN_MS = Number(process.env.LIVE_SPARE_WITHIN_MS ?? 15_000)
/** Each in its own time: of seven that begin at once, the later ones see that the cores are busy. */
const LOOK_EVERY_MS = 1_000
const SIGNALS = ['SIGINT', 'SIGTERM']

const words = process.argv.slice(2)
const at = words.indexOf('--')
const [program, ...its] = words.slice(at + 1)
const watched = words.slice(0, at).filter((word) => word !== '--watch')

let child
/** Loads, while the one before it ends. */
let next
let isStopping = false
let spare
let isEnding = false
let settling
let watchers = []
/** Packages of others that the program has loaded, which the next may load beforehand. */
let packages

/** The program, held until it is told to go. */
function spawned() {
  const path = (name) => new URL(name, import.meta.url).href
  const words = ['--import', path('spare.mjs'), ...its.slice(0, -1), '--import', path('hold.mjs'), its.at(-1)]
  const made = spawn(program, words, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  const one = { process: made, ours: undefined }
  made.on('message', ({ ours, ofOthers }) => {
    if (ours) one.ours = ours
    if (ofOthers) packages = ofOthers
  })
  made.on('error', () => {})
  return one
}

/** Has the next one load all of it, while the one before it ends. */
function load() {
  const isUsable = spare && isRunning(spare.process) && spare.ours?.every(([file, at]) => modifiedAt(file) === at)
  if (!isUsable) spare?.process.kill('SIGKILL')
  next?.kill('SIGKILL')
  next = (isUsable ? spare : spawned()).process
  spare = undefined
  next.send({ go: true }, () => {})
}

function run() {
  const own = next
  next = undefined
  child = own
  watchFolders()
  own.send({ turn: true }, () => {})
  const ended = (code) => {
    if (isEnding) process.exit(code ?? 1)
    if (child === own) soon(AGAIN_AFTER_MS)
  }
  if (isRunning(own)) own.once('exit', ended)
  else ended()
  prepareSpare(own, performance.now() + SPARE_WITHIN_MS)
}

/** Each folder for itself, looked for at each start: what is made anew is seen, and what is replaced. No change falls between. */
function watchFolders() {
  const folders = watched.flatMap((folder) => [folder, ...globSync(`${folder}/**/`, { exclude: isForeign })])
  const before = watchers
  watchers = [...new Set(folders.map((folder) => realpathSync(folder)))].map((folder) =>
    watch(folder, (_, name) => isSource(name) && soon()),
  )
  for (const one of before) one.close()
}

/** So that the next change waits for our code alone. */
function prepareSpare(beside, notAfter) {
  const [since, idle] = [performance.now(), idleMs()]
  const look = () => {
    if (isEnding || child !== beside || !isRunning(beside) || packages?.length === 0) return
    const isIdle = idleMs() - idle >= IDLE_CORES * (performance.now() - since)
    if (!packages || (!isIdle && performance.now() < notAfter)) return prepareSpare(beside, notAfter)
    spare = spawned()
    spare.process.send({ load: packages }, () => {})
  }
  setTimeout(look, LOOK_EVERY_MS * (0.5 + Math.random())).unref()
}

/** For how long cores have had nothing to do, all of them together. */
const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)

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
  load()
  if (isStopping) return
  if (!isRunning(child)) return run()
  isStopping = true
  const before = child
  const kill = setTimeout(() => before.kill('SIGKILL'), STOPPED_WITHIN_MS)
  child = undefined
  before.once('exit', () => {
    clearTimeout(kill)
    isStopping = false
    run()
  })
  before.kill('SIGTERM')
}

process.on('SIGHUP', () => soon())
for (const signal of SIGNALS)
  process.on(signal, () => {
    isEnding = true
    spare?.process.kill('SIGKILL')
    next?.kill('SIGKILL')
    if (!child || !isRunning(child)) process.exit(0)
    child.kill(signal)
  })
load()
run()
