/** The world of a test file is the worker's own: there is none to make and none to take down. */
export default class NativeEnvironment {
  /** Jest hangs a console and marks of its own on it; the tests write to the worker's. */
  global = {}

  getVmContext() {
    return null
  }

  async setup() {}

  async teardown() {}
}
