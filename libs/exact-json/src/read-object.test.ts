import { expect, test } from '@jest/globals'
import { readObject } from './read-object.ts'

const messageOf = (text: string, exact?: true): string => {
  try {
    readObject(Buffer.from(text), exact)
  } catch (error) {
    return (error as Error).message
  }
  return 'read'
}

test.each([
  ['{"a":1', "Expected ',' or '}' after property value, line 1, column 7"],
  ['{\n "a": 1\n "b": 2\n}', "Expected ',' or '}' after property value, line 3, column 2"],
  ["{'a':1}", "Expected property name or '}', line 1, column 2"],
  ['{"a":1}}', 'Unexpected non-whitespace character, line 1, column 8'],
  ['{"a":secret,"b":"more of it that is none of ours"}', "Unexpected token 's'"],
  ['', 'Unexpected end'],
])('a body that is no JSON is told what is wrong, and where that is known: %j', (text, what) => {
  for (const exact of [undefined, true] as const)
    expect(messageOf(text, exact)).toBe(`The body is not valid JSON: ${what}.`)
})

test('the message holds no more of the body than one character, well formed', () => {
  const message = messageOf('{"a":\u{1f600} secret}')
  expect(message).not.toContain('secret')
  expect(message.isWellFormed()).toBe(true)
})
