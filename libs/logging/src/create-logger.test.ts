import { execFileSync } from 'node:child_process'
import fs, { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, jest, test } from '@jest/globals'
import { renderMetrics } from '@svc/telemetry'
import { createLogger, createRecordLogger, linesTogether } from './create-logger.ts'
import { withLogFields } from './log-fields.ts'

function recorder() {
  const lines: string[] = []
  const logger = createLogger('test', { write: (line) => lines.push(line) })
  logger.level = 'info'
  return { logger, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, any>, lines }
}

test('a line is JSON with time, level and name as words', () => {
  const { logger, last } = recorder()
  logger.warn({ order_id: 'o-1' }, 'slow')
  expect(last()).toMatchObject({ level: 'warn', name: 'test', msg: 'slow', order_id: 'o-1' })
  expect(new Date(last()['time']).getTime()).toBeCloseTo(Date.now(), -4)
})

test('secrets and personal data never reach a line, at any of the levels that are logged', () => {
  const { logger, lines } = recorder()
  const secrets = {
    authorization: 'hunter2',
    'x-api-key': 'hunter2',
    password: 'hunter2',
    phone: 'hunter2',
    code: 'hunter2',
  }
  logger.info(secrets)
  logger.info({ request: secrets })
  logger.info({ request: { headers: secrets } })
  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toContain('hunter2')
  expect(JSON.parse(lines[0] ?? '').authorization).toBe('[redacted]')
})

test('an error keeps its stack, code and causes, and loses what a driver hung on it', () => {
  const { logger, last, lines } = recorder()
  const driver = Object.assign(new Error('duplicate key'), {
    code: '23505',
    constraint: 'users_phone_key',
    detail: 'Key (phone)=(hunter2)',
  })
  logger.error({ err: new Error('sign-up failed', { cause: driver }) }, 'failed')
  expect(last()['err']).toMatchObject({
    type: 'Error',
    message: 'sign-up failed',
    cause: { message: 'duplicate key', error_code: '23505', constraint: 'users_phone_key' },
  })
  expect(last()['err'].stack).toContain('create-logger.test.ts')
  expect(lines.join('')).not.toContain('hunter2')
})

test('an error that names itself as its cause is still one line', () => {
  const { logger, last } = recorder()
  const circular = new Error('round')
  circular.cause = circular
  logger.error({ err: circular })
  expect(last()['err'].message).toBe('round')
})

test('a thrown value that is no error is told', () => {
  const { logger, last } = recorder()
  logger.error({ err: 'just text' })
  expect(last()['err']).toEqual({ type: 'string', message: 'just text' })
})

test('lines written while a request is handled carry its id, also after an await', async () => {
  const { logger, last } = recorder()
  await withLogFields({ request_id: 'r-1' }, async () => {
    await Promise.resolve()
    logger.info('inside')
  })
  expect(last()['request_id']).toBe('r-1')
  logger.info('outside')
  expect(last()).not.toHaveProperty('request_id')
})

test('lines that name an alert are counted under it', async () => {
  const { logger } = recorder()
  const counted = async () =>
    Number(/^alerts_total\{alert="fact_parked"\} (\d+)$/m.exec(await renderMetrics())?.[1] ?? 0)
  const before = await counted()
  logger.error({ alert: 'fact_parked' }, 'set aside')
  logger.error({ alert: 'fact_parked' }, 'set aside')
  logger.error('no alert')
  expect(await counted()).toBe(before + 2)
})

test('records of one turn are written together, whole and in their order', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'records-')), 'log')
  const logger = createRecordLogger('records', linesTogether(file))
  logger.level = 'info'
  const written = () => readFileSync(file, 'utf8').split('\n').filter(Boolean)
  for (let n = 0; n < 20; n++) logger.info({ n })
  expect(written()).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  expect(written().map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(
    Array.from({ length: 20 }, (_, n) => n),
  )
})

test('no record waits for the disk', async () => {
  const waits = jest.spyOn(fs, 'fsyncSync')
  const file = join(mkdtempSync(join(tmpdir(), 'records-')), 'log')
  const logger = createRecordLogger('records', linesTogether(file))
  logger.level = 'info'
  for (let n = 0; n < 200; n++) logger.info({ n, said: 'x'.repeat(200) })
  await new Promise((resolve) => setImmediate(resolve))
  expect(readFileSync(file, 'utf8').split('\n').filter(Boolean)).toHaveLength(200)
  expect(waits).not.toHaveBeenCalled()
})

test('records of the turn in which a process exits are written', () => {
  const program = `
    const { createRecordLogger } = await import(${JSON.stringify(join(import.meta.dirname, 'create-logger.ts'))})
    createRecordLogger('records').info('the last words')
    process.exit(0)`
  const told = execFileSync(process.execPath, ['--conditions=source', '--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, LOG_LEVEL: 'info' },
  })
  expect(JSON.parse(told)).toMatchObject({ msg: 'the last words' })
})
