import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { hash, verify } from '@node-rs/argon2'
import { createPasswords } from './passwords.ts'

const [old, next] = [randomBytes(32), randomBytes(32)]
const FORMER = { matches: true, isFormer: true }
const FIRST = { matches: true, isFormer: false }
const NONE = { matches: false }

test('a password is hashed under the first pepper, which the hash names, and right under each that is named', async () => {
  const [ofOld, ofBoth, ofNext] = await Promise.all(
    [[old], [next, old], [next]].map((all) => createPasswords(all as [Buffer])),
  )
  const [before, after] = await Promise.all([ofOld!.hash('right'), ofBoth!.hash('right')])
  expect(before).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1,keyid=[\w+/]{8}\$[^$]+\$[^$]+$/)
  const nameOf = (text: string) => /keyid=([^$]+)/.exec(text)?.[1]
  expect(nameOf(before)).not.toBe(nameOf(after))
  expect(nameOf(await ofNext!.hash('another'))).toBe(nameOf(after))
  expect(await ofBoth!.match(before, 'right')).toEqual(FORMER)
  expect(await ofBoth!.match(after, 'right')).toEqual(FIRST)
  expect(await ofNext!.match(after, 'right')).toEqual(FIRST)
  expect(await ofNext!.match(before, 'right')).toEqual(NONE)
  for (const kept of [before, after, undefined]) expect(await ofBoth!.match(kept, 'wrong')).toEqual(NONE)
})

test('a hash that names no pepper counts as before, and one that does is read by who knows nothing of names', async () => {
  const passwords = await createPasswords([next, old])
  const unnamed = await hash('right', { memoryCost: 19_456, timeCost: 2, parallelism: 1, secret: old })
  expect(await passwords.match(unnamed, 'right')).toEqual(FORMER)
  expect(await verify(await passwords.hash('right'), 'right', { secret: next })).toBe(true)
})
