import { expect, test } from '@jest/globals'
import type { ErrorCode } from '@svc/errors'
import { createLogger, createRecordLogger } from '@svc/logging'
import { renderMetrics } from '@svc/telemetry'
import type { Request, Response } from 'express'
import { type Answered, createAccessLog } from './access-log.ts'

function started(sample: number) {
  const lines: Array<Record<string, unknown>> = []
  const failed: Array<Record<string, unknown>> = []
  const answers = createRecordLogger('access', { write: (line) => void lines.push(JSON.parse(line)) })
  const failures = createLogger('http', { write: (line) => void failed.push(JSON.parse(line)) })
  for (const logger of [answers, failures]) logger.level = 'info'
  const log = createAccessLog(sample, { answers, failures })
  const tell = (requestId: string, status = 200, code: ErrorCode | 'ok' = 'ok', more: Partial<Answered> = {}) =>
    log.tell({
      request: {
        method: 'GET',
        url: '/v1/orders/7?phone=%2B2348000000',
        headers: { authorization: 'Bearer t' },
      } as Request,
      response: { statusCode: status, getHeader: () => 12 } as unknown as Response,
      requestId,
      route: '/v1/orders/{id}',
      code,
      startedAt: performance.now(),
      ...more,
    })
  return { lines, tell, failed, log }
}

test('each refusal is found by its request id, with its code and whose it was', () => {
  const { lines, tell } = started(1_000)
  tell('r-1', 409, 'cannot_cancel', {
    identity: {
      kind: 'merchant',
      merchantId: 'm-1',
      isTest: true,
      scopes: [],
      actor: { type: 'merchant_key', id: 'k-1' },
      credential: 'key:k-1',
    },
  })
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'info',
      method: 'GET',
      route: '/v1/orders/{id}',
      status: 409,
      error_code: 'cannot_cancel',
      outcome: 'client',
      merchant_id: 'm-1',
      is_test: true,
      credential: 'key:k-1',
      request_id: 'r-1',
      bytes_out: 12,
    }),
  ])
})

test('of answers that are no errors one in so many is told, and says so', () => {
  const { lines, tell } = started(10)
  for (let i = 0; i < 30; i += 1) tell(`r-${i}`)
  expect(lines.map((line) => line['sampled_1_in'])).toEqual([10, 10, 10])
})

test('a body that broke off after its status had been sent is told as the error it is', () => {
  const { lines, tell } = started(1_000)
  tell('r-1', 200, 'service_unavailable')
  expect(lines).toEqual([
    expect.objectContaining({ status: 200, error_code: 'service_unavailable', outcome: 'server' }),
  ])
})

test('a flood of errors writes a bounded number of lines, and tells how many it left out', () => {
  const { lines, tell } = started(1)
  const until = performance.now() + 10_000
  for (let i = 0; !lines.some((line) => 'left_out' in line) && performance.now() < until; i += 1)
    tell(`r-${i}`, 404, 'not_found')
  const leftOut = lines.find((line) => 'left_out' in line)?.['left_out']
  expect(leftOut).toBeGreaterThan(0)
})

test('what lies behind a failure is told by its request id, and as a warning where the operator chose it', () => {
  const { failed, log } = started(1)
  log.fail(new Error('broken'), 'internal_error', 'r-1')
  log.fail(new Error('off'), 'simulator_disabled', 'r-2')
  expect(failed).toMatchObject([
    { level: 'error', request_id: 'r-1', err: { message: 'broken', stack: expect.any(String) } },
    { level: 'warn', request_id: 'r-2', err: { message: 'off' } },
  ])
})

test('what lies behind a flood of failures is told up to a hundred times a second, with how many were left out', () => {
  const { failed, log } = started(1)
  const second = () => Math.floor(performance.now() / 1_000)
  const began = second()
  let failures = 0
  const failAgain = () => log.fail(new Error('admin is away'), 'service_unavailable', `r-${failures++}`)
  while (failures < 1_000) failAgain()
  expect(failed.length).toBeLessThanOrEqual(100 * (second() - began + 1))
  const isTold = () => failed.some((line) => 'left_out' in line)
  const until = performance.now() + 10_000
  while (!isTold() && performance.now() < until) failAgain()
  const leftOut = failed.reduce((sum, line) => sum + Number(line['left_out'] ?? 0), 0)
  expect(failed.length + leftOut).toBe(failures)
})

test('neither the query nor a credential is in a line', () => {
  const { lines, tell } = started(1)
  tell('r-1')
  expect(JSON.stringify(lines)).not.toMatch(/2348000000|Bearer/)
})

test('every answer is counted by its outcome', async () => {
  const { tell } = started(1)
  tell('r-1', 503, 'simulator_disabled', { route: '/v1/counted' })
  const text = await renderMetrics()
  expect(text).toContain('http_requests_total{method="GET",route="/v1/counted",status="503",outcome="refused"} 1\n')
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/v1/counted",outcome="refused"} 1\n')
})
