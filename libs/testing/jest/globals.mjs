import { ModernFakeTimers } from '@jest/fake-timers'
import { ModuleMocker } from 'jest-mock'

// What `@jest/globals` is where Node loads the tests: the functions of the circus that runs the file at the moment.

let current = {}

export function useGlobals(globals) {
  current = globals
}

/** The function of that name, whichever circus it is of when it is called. */
const currently = (name) =>
  new Proxy(() => {}, {
    apply: (_, self, args) => Reflect.apply(current[name], self, args),
    get: (_, key) => current[name][key],
  })

export const test = currently('test')
export const it = currently('it')
export const describe = currently('describe')
export const expect = currently('expect')
export const beforeAll = currently('beforeAll')
export const beforeEach = currently('beforeEach')
export const afterAll = currently('afterAll')
export const afterEach = currently('afterEach')

const mocker = new ModuleMocker(globalThis)
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis })

export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
}
