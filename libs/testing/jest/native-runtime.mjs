import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { useGlobals } from './globals.mjs'
import './resolve.mjs'

const require = createRequire(import.meta.url)
/** Under which circus keeps who listens to it. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS')
let runs = 0

/**
 * Jest's runtime without a world of its own: Node loads a test file and what it imports as it loads a service, types and all.
 * What files have in common is loaded, and compiled by V8, once for a worker in place of once for a file. In return they share
 * the modules of a worker: a module that keeps something keeps it for the files after it too.
 */
export default class NativeRuntime {
  #environment = { ...process.env }
  #testFile

  /** As jest calls it: the seventh argument is the file of the tests. */
  constructor(...[, , , , , , testFile]) {
    this.#testFile = testFile
    // For what the files of a worker must not share, though they share the module that makes it.
    process.env.TEST_FILE = testFile
  }

  /** A file's circus starts without the tests and listeners of the file before. */
  requireInternalModule(path) {
    delete require.cache[path]
    delete globalThis[EVENT_HANDLERS]
    return require(path)
  }

  setGlobalsForRuntime(globals) {
    useGlobals(globals)
  }

  unstable_shouldLoadAsEsm() {
    return true
  }

  /** A test file runs anew each time that it is asked for; what is set up for a worker is so once. */
  async unstable_importModule(path) {
    const { href } = pathToFileURL(path)
    if (path !== this.#testFile) return import(href)
    runs += 1
    return import(`${href}?run=${runs}`)
  }

  requireModule(path) {
    return require(path)
  }

  teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name]
    Object.assign(process.env, this.#environment)
  }

  enterTestCode() {}

  leaveTestCode() {}

  getSourceMaps() {
    return new Map()
  }

  getAllCoverageInfoCopy() {}
}
