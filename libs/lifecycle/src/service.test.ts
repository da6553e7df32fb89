import { afterEach, describe, expect, test } from '@jest/globals'
import type { Part } from './part.ts'
import { composeService, type Service } from './service.ts'

function recordedParts(names: string[], failing: Record<string, Error> = {}) {
  const events: string[] = []
  const parts = names.map((name): Part => {
    const step = async (verb: string) => {
      events.push(`${verb} ${name}`)
      const failure = failing[`${verb} ${name}`]
      if (failure) throw failure
    }
    return { name, start: () => step('start'), stop: () => step('stop') }
  })
  return { parts, events }
}

/** Stopped after the test: the gauge of a service is asked at each scrape of the process, which other files share. */
const services: Service[] = []
function composed(...given: Parameters<typeof composeService>): Service {
  const service = composeService(...given)
  services.push(service)
  return service
}
afterEach(() => Promise.allSettled(services.splice(0).map((service) => service.stop())))

const passing = { required: true, probe: async () => {} }
const failingProbe = async () => {
  throw new Error('no answer')
}

describe('order', () => {
  test('what is started last is stopped first, and stopping twice stops once', async () => {
    const { parts, events } = recordedParts(['pool', 'consumer', 'grpc'])
    const service = composed(parts, { checks: {} })
    await service.start()
    await Promise.all([service.stop(), service.stop()])
    expect(events).toEqual(['start pool', 'start consumer', 'start grpc', 'stop grpc', 'stop consumer', 'stop pool'])
  })

  test('a part that does not start stops what was started, and the reason is thrown', async () => {
    const { parts, events } = recordedParts(['pool', 'consumer', 'grpc'], { 'start consumer': new Error('no broker') })
    await expect(composed(parts, { checks: {} }).start()).rejects.toThrow('no broker')
    expect(events).toEqual(['start pool', 'start consumer', 'stop consumer', 'stop pool'])
  })

  test('a part that does not stop does not keep the others running, and the failure is not hidden', async () => {
    const { parts, events } = recordedParts(['pool', 'grpc'], { 'stop grpc': new Error('stuck') })
    const service = composed(parts, { checks: {} })
    await service.start()
    await expect(service.stop()).rejects.toThrow(AggregateError)
    expect(events.at(-1)).toBe('stop pool')
  })

  test('a stop during the start waits for the part under way and starts no other', async () => {
    const underWay = Promise.withResolvers<void>()
    const { parts, events } = recordedParts(['grpc'])
    const slow: Part = { name: 'slow', start: () => underWay.promise, stop: async () => void events.push('stop slow') }
    const service = composed([slow, ...parts], { checks: {} })
    const starting = service.start()
    const stopping = service.stop()
    expect(events).toEqual([])
    underWay.resolve()
    await Promise.all([starting, stopping])
    expect(events).toEqual(['stop slow'])
  })
})

describe('readiness', () => {
  test('is unavailable before the start and from the moment of the stop', async () => {
    const service = composed([], { checks: { database: passing } })
    expect((await service.ready()).status).toBe('unavailable')
    await service.start()
    expect(await service.ready()).toEqual({ status: 'ok', checks: { database: 'ok' } })
    const stopping = service.stop()
    expect((await service.ready()).status).toBe('unavailable')
    await stopping
  })

  test('an optional dependency that is down degrades, a required one makes unavailable', async () => {
    const optional = composed([], {
      checks: { database: passing, cache: { required: false, probe: failingProbe } },
    })
    await optional.start()
    expect(await optional.ready()).toEqual({ status: 'degraded', checks: { database: 'ok', cache: 'failed' } })
    const required = composed([], { checks: { database: { required: true, probe: failingProbe } } })
    await required.start()
    expect(await required.ready()).toEqual({ status: 'unavailable', checks: { database: 'failed' } })
  })

  test('a dependency that never answers does not hang the probe', async () => {
    const silent = { required: true, probe: () => new Promise<void>(() => {}) }
    const service = composed([], { checks: { database: silent } })
    await service.start()
    expect((await service.ready()).status).toBe('unavailable')
  })
})
