import { describe, expect, test } from '@jest/globals'
import { checkServerLinks } from './server-links.ts'

const GOOD = {
  ORDER_DATABASE_URL:
    'postgres://order_app:secret@db.example/order?sslmode=verify-full&sslrootcert=/etc/servers/ca.crt',
  REDIS_URL: 'rediss://redis.example:6380',
  KAFKA_BROKERS: 'kafkas://order:secret@a.example:9093,kafkas://order:secret@b.example:9093',
}

describe('the links to servers, where nothing is stated', () => {
  test('may be encrypted and verified, or stay on the machine', () => {
    expect(() => checkServerLinks(GOOD)).not.toThrow()
    const local = { REDIS_URL: 'redis://127.0.0.1:6379', KAFKA_BROKERS: 'localhost:9092,[::1]:9092' }
    expect(() => checkServerLinks({ ...local, ORDER_OWNER_URL: 'postgres://o:secret@127.0.0.1/order' })).not.toThrow()
  })

  test.each([
    ['ORDER_DATABASE_URL', 'postgres://order_app:secret@db.example/order'],
    ['ORDER_WORKER_URL', 'postgres://order_worker:secret@db.example/order?sslmode=require'],
    ['ORDER_OWNER_URL', 'postgres://order_owner:secret@db.example/order?sslmode=no-verify'],
    ['ORDER_ADMIN_URL', 'postgres://postgres:secret@db.example/postgres?sslmode=verify-full&sslmode=disable'],
    ['REDIS_URL', 'redis://:secret@redis.example:6379'],
    ['KAFKA_BROKERS', 'a.example:9092'],
    ['KAFKA_BROKERS', 'kafkas://order:secret@a.example:9093,b.example:9092'],
    ['KAFKA_BROKERS', 'localhost.example:9092'],
    ['KAFKA_BROKERS', '127.0.0.1:9092,a.example:9092'],
  ])('are refused in the clear, or to whoever answers: %s=%s; the refusal tells no password', (name, value) => {
    const check = () => checkServerLinks({ ...GOOD, [name]: value })
    expect(check).toThrow(new RegExp(`^(?!.*secret).*${name}`, 's'))
    expect(() => checkServerLinks({ ...GOOD, [name]: value, SERVERS_TLS: 'off' })).not.toThrow()
    expect(() => checkServerLinks({ ...GOOD, [name]: value, NODE_ENV: 'development' })).not.toThrow()
  })

  test('are not excused by a word that is none', () => {
    expect(() => checkServerLinks({ ...GOOD, SERVERS_TLS: 'no' })).toThrow('SERVERS_TLS')
  })
})
