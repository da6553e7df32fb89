import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { scratchFolder } from './scratch-folder.ts'

const inClone = join('/clone', '.local', 'test')

test('where a machine has no memory to keep files in, or too little, servers keep them in the clone', () => {
  expect(scratchFolder('/clone', join(tmpdir(), 'there-is-no-such-folder'), 0)).toBe(inClone)
  expect(scratchFolder('/clone', tmpdir(), Number.POSITIVE_INFINITY)).toBe(inClone)
})

test('where it has, they keep them there, apart from those of other users', () => {
  expect(scratchFolder('/clone', tmpdir(), 0)).toBe(join(tmpdir(), `delivery-dispatch-${process.getuid?.()}`))
})
