import { globSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/**
 * Tells of every file below these folders that is made, changed, replaced or removed; answers what ends it. Each folder is
 * watched for itself: what Node makes of one that is recursive loses a file that another takes the place of.
 */
export function watchFolders(folders: readonly string[], changed: (file: string) => void): () => void {
  const watchers = new Map<string, { close(): void }>()
  function add(folder: string): void {
    if (watchers.has(folder)) return
    const watcher = watch(folder, (_, name) => {
      if (name === null) return
      const path = join(folder, name)
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) addAll(path)
      else changed(path)
    })
    // A folder that is removed takes its watcher with it; one that comes in its place is another.
    watcher.on('error', () => watchers.delete(folder))
    watchers.set(folder, watcher)
  }
  function addAll(folder: string): void {
    for (const one of [folder, ...globSync(`${folder}/**/`)]) add(one.replace(/\/$/, ''))
  }
  folders.forEach(addAll)
  return () => {
    for (const watcher of watchers.values()) watcher.close()
  }
}
