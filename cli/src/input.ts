import { readFileSync } from 'node:fs'
import { EXIT, Failure } from './failure.ts'

/** A file, or standard input for `-`. */
export function textOf(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${(error as Error).message}`, EXIT.usage)
  }
}

export function jsonOf(path: string): unknown {
  try {
    return JSON.parse(textOf(path).toString())
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${path} is not JSON: ${(error as Error).message}`, EXIT.usage)
  }
}

/** Asks for a secret: what is typed is not shown. Where nobody types, the first line of standard input. */
export async function secret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return textOf('-').toString().split('\n')[0]!.trim()
  process.stderr.write(question)
  process.stdin.setRawMode(true)
  let typed = ''
  try {
    for await (const chunk of process.stdin) {
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n') return typed.trim()
        if (character === '\u0003') throw new Failure('Nothing was changed.')
        typed = character === '\u007f' ? typed.slice(0, -1) : typed + character
      }
    }
    return typed.trim()
  } finally {
    process.stdin.setRawMode(false)
    process.stderr.write('\n')
  }
}

/** Whole numbers that an option may take. */
export function count(name: string, value: unknown, most: number): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Failure(`--${name} is a whole number from 1 to ${most}.`, EXIT.usage)
  return number
}

/** The part of a usage that was not typed. */
export function needed(value: string | undefined, name: string, usage: string): string {
  if (value === undefined) throw new Failure(`${name} lacks: dispatch ${usage}`, EXIT.usage)
  return value
}
