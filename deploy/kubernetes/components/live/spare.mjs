// Loaded before and after what a live program loads before itself (live.mjs): holds it until it is told to go, and meanwhile loads
// the packages of others that the one before has loaded. Ours it leaves, as they are what changes; what it had to load of them
// nevertheless it tells, so that it is not taken once that has changed.
import { statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** By then a program has loaded what it starts with. */
const LOADED_AFTER_MS = 1_000
const isOfOthers = (url) => url.includes('/node_modules/') && !url.includes('/@svc/')
const ofOthers = new Set()
const ours = new Map()
const isLive = isMainThread && process.send !== undefined

if (isLive) {
  // It ends with who started it.
  process.once('disconnect', () => process.exit())
  registerHooks({
    load(url, context, next) {
      if (isOfOthers(url)) ofOthers.add(url)
      else if (url.startsWith('file:')) ours.set(fileURLToPath(url), statSync(new URL(url)).mtimeMs)
      return next(url, context)
    },
  })
}

const told = () => new Promise((resolve) => process.once('message', resolve))

/** Resolves when the program may run. */
export async function hold() {
  if (!isLive) return
  const go = told()
  process.send({ ours: [...ours] })
  const first = await go
  if (first.load) {
    const next = told()
    // One that cannot be loaded alone is loaded by what asks for it.
    for (const url of first.load) await import(url).catch(() => {})
    await next
  }
  process.removeAllListeners('disconnect')
  setTimeout(() => {
    process.send({ ofOthers: [...ofOthers] }, () => process.connected && process.disconnect())
  }, LOADED_AFTER_MS).unref()
  process.channel?.unref()
}
