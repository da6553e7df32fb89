// Loaded before and after what a live program loads before itself (live.mjs): holds it until it is told to go, and meanwhile loads
// the packages of others that the one before has loaded. Ours it leaves, as they are what changes; what it had to load of them
// nevertheless it tells, so that it is not taken once that has changed. Told to go, the program loads all that it imports; its
// own lines wait for their turn, which comes once the one before has ended.
import { realpathSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** By then a program has loaded what it starts with. */
const LOADED_AFTER_MS = 1_000
/** Before the first line of the program, on it. */
const WAITS = `await globalThis[Symbol.for('turn of a live program')];`
const isOfOthers = (url) => url.includes('/node_modules/') && !url.includes('/@svc/')
const ofOthers = new Set()
const ours = new Map()
const isLive = isMainThread && process.send !== undefined
const told = { load: Promise.withResolvers(), go: Promise.withResolvers(), turn: Promise.withResolvers() }

if (isLive) {
  globalThis[Symbol.for('turn of a live program')] = told.turn.promise
  const program = pathToFileURL(realpathSync(process.argv[1])).href
  process.on('message', (message) => {
    for (const [name, what] of Object.entries(message)) told[name].resolve(what)
  })
  // It ends with who started it.
  process.once('disconnect', () => process.exit())
  registerHooks({
    load(url, context, next) {
      if (isOfOthers(url)) ofOthers.add(url)
      else if (url.startsWith('file:')) ours.set(fileURLToPath(url), statSync(new URL(url)).mtimeMs)
      const loaded = next(url, context)
      if (url !== program || !loaded.format?.startsWith('module')) return loaded
      return { ...loaded, source: `${WAITS}${Buffer.from(loaded.source).toString()}` }
    },
  })
}

/** Resolves when the program may load what it imports. */
export async function hold() {
  if (!isLive) return
  process.send({ ours: [...ours] })
  const load = await Promise.race([told.load.promise, told.go.promise])
  // One that cannot be loaded alone is loaded by what asks for it.
  if (Array.isArray(load)) for (const url of load) await import(url).catch(() => {})
  await told.go.promise
  told.turn.promise.then(() => {
    process.removeAllListeners('disconnect')
    process.removeAllListeners('message')
    setTimeout(() => {
      process.send({ ofOthers: [...ofOthers] }, () => process.connected && process.disconnect())
    }, LOADED_AFTER_MS).unref()
    process.channel?.unref()
  })
}
