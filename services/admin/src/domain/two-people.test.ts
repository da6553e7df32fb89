import { expect, test } from '@jest/globals'
import { areTwoPeople } from './two-people.ts'

/** Made by those, of whom the ones in capitals gave it a role alone. */
const approver = (id: string, ...makers: string[]) => ({
  id,
  makers: new Set(makers.map((maker) => maker.toLowerCase())),
  holders: new Set(makers.filter((maker) => maker === maker.toLowerCase())),
})

test.each([
  ['strangers', approver('a'), approver('b'), true],
  ['two whom a third one made', approver('a', 'c'), approver('b', 'c'), false],
  ['two whom a third one made through others', approver('a', 'x', 'c'), approver('b', 'y', 'c'), false],
  ['two to whom a third one gave their roles', approver('a', 'C'), approver('b', 'C'), true],
  ['two whom different ones made', approver('a', 'c'), approver('b', 'd'), true],
  ['two whom the command made', approver('a', 'create-operator'), approver('b', 'create-operator'), true],
  [
    'two whom the command made through one',
    approver('a', 'create-operator'),
    approver('b', 'a', 'create-operator'),
    false,
  ],
  ['two of the demonstration', approver('a', 'seed'), approver('b', 'seed'), true],
  ['one operator', approver('a'), approver('a'), false],
  ['a maker and what it made', approver('a'), approver('b', 'x', 'a'), false],
  ['what was made and its maker', approver('b', 'x', 'a'), approver('a'), false],
  ['the static token and an operator of another making', approver('static'), approver('b', 'seed'), true],
  ['the static token and what it made', approver('static'), approver('b', 'static'), false],
  ['two whom the static token made', approver('a', 'static'), approver('b', 'static'), false],
])('%s', (_, first, second, expected) => {
  expect(areTwoPeople(first, second)).toBe(expected)
  expect(areTwoPeople(second, first)).toBe(expected)
})
