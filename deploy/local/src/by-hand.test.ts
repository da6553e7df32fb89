import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { findProcesses, type MeshProcess } from '@svc/mesh'
import { commandByHand, leftOut } from './by-hand.ts'
import { root } from './paths.ts'

const processes = findProcesses(root)
const names = (args: string[]) => leftOut(args, processes).map(({ name }) => name)

test('a start leaves out the processes that it is told to, and no others', () => {
  expect(names([])).toEqual([])
  expect(names(['--without', 'order'])).toEqual(['order'])
  expect(names(['--without=order,gateway'])).toEqual(['order', 'gateway'])
})

test('a name that no process bears is refused with those that there are', () => {
  expect(() => names(['--without', 'orders'])).toThrow(/takes providers, admin, .*gateway; not "orders"/)
  expect(() => names(['--without'])).toThrow(/not ""/)
})

test('the command that takes the place of a process is one line that a shell can read, and stops for a debugger', () => {
  const command = commandByHand(processes.find(({ name }) => name === 'order') as MeshProcess, root)
  expect(command).toMatch(/print-env\.ts order\)" && exec \S+ --inspect --conditions=source .*src\/main\.ts\)$/)
  expect(execFileSync('bash', ['-n', '-c', command]).toString()).toBe('')
})
