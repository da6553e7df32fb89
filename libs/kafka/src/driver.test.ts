import { describe, expect, test } from '@jest/globals'
import { accessTo } from './driver.ts'

describe('the brokers of the environment', () => {
  test('are reached in the clear where they are plain addresses', () => {
    expect(accessTo(['a:9092', '[::1]:9093'])).toEqual({ brokers: ['a:9092', '[::1]:9093'], ssl: false })
  })

  test('are reached by TLS, and with a password that never goes over the line, where their URL says so', () => {
    expect(accessTo(['kafkas://order:p%40ss@a:9093', 'kafkas://order:p%40ss@b:9093'])).toEqual({
      brokers: ['a:9093', 'b:9093'],
      ssl: true,
      sasl: { mechanism: 'scram-sha-512', username: 'order', password: 'p@ss' },
    })
    expect(accessTo(['kafkas://a:9093'])).toEqual({ brokers: ['a:9093'], ssl: true })
  })

  test.each([[['kafkas://a:9093', 'b:9092']], [['https://a:9093']], [['kafka://order:pass@a:9092']]])(
    '%j is refused: no link is left in the clear by mistake, and the refusal tells no password',
    (brokers) => {
      expect(() => accessTo(brokers)).toThrow(/^(?!.*pass@).*KAFKA_BROKERS/)
    },
  )
})
