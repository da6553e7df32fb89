import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** The servers of the whole suite have held a quarter of that at once. */
const ROOM_BYTES = 8 * 2 ** 30

/**
 * Below which servers keep what nobody wants after them: in memory, where a machine has a file system with room in it, else
 * in the clone. A database that is made and dropped is some hundred files, which cost a disk's file system as much as
 * Postgres itself.
 */
export function scratchFolder(root: string, memory = MEMORY, room = ROOM_BYTES): string {
  return hasRoom(memory, room) ? join(memory, `delivery-dispatch-${process.getuid?.()}`) : join(root, '.local', 'test')
}

function hasRoom(folder: string, room: number): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= room
}
