import { expect, test } from '@jest/globals'
import { SLICES, TokenGroups } from './token-groups.ts'

const round = (groups: TokenGroups<string>) =>
  Array.from({ length: SLICES }, (_, turn) => groups.slice(turn)).map((slice) =>
    Array.from(slice, ([token, sockets]) => [token, [...sockets]] as const),
  )

test('in a round each token has one turn, with all its sockets, and no turn has many more than its share', () => {
  const groups = new TokenGroups<string>(20)
  for (let i = 0; i < 3_000; i++) for (const socket of ['a', 'b']) groups.add(`token ${i}`, `${i}${socket}`)
  const slices = round(groups)
  expect(slices.flat().length).toBe(3_000)
  expect(new Set(slices.flat().map(([token]) => token)).size).toBe(3_000)
  expect(slices.flat().every(([, sockets]) => sockets.length === 2)).toBe(true)
  expect(Math.max(...slices.map((slice) => slice.length))).toBeLessThan(200)
})

test('a token has as many sockets as it may, one that ends makes room, and nothing is left of those that ended', () => {
  const groups = new TokenGroups<string>(2)
  expect(['a', 'b', 'c'].map((socket) => groups.add('token', socket))).toEqual([true, true, false])
  expect(groups.add('other', 'c')).toBe(true)
  groups.delete('token', 'c')
  expect(groups.add('token', 'c')).toBe(false)
  groups.delete('token', 'a')
  expect(groups.add('token', 'c')).toBe(true)
  for (const socket of ['b', 'c']) groups.delete('token', socket)
  groups.delete('other', 'c')
  expect(round(groups).flat()).toEqual([])
})
