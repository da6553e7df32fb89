import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installedPnpm } from '../../local/bootstrap/workspace.mjs'

const run = promisify(execFile)

/**
 * Puts what one process needs into a folder that stands by itself: its dist, its production packages as the lockfile has
 * them, and sbom.json, the list of these (CycloneDX). The packages must have been compiled.
 */
export async function assemble(root: string, name: string, folder: string): Promise<void> {
  const pnpm = installedPnpm(() => {})
  rmSync(folder, { recursive: true, force: true })
  // The lockfile was held against the policies of the workspace when it was installed.
  const settled = ['--offline', '--config.trust-policy=off', '--config.minimum-release-age=0']
  const linked = ['--config.inject-workspace-packages=true', '--reporter=silent']
  await run(pnpm, [...settled, ...linked, '--filter', `@svc/${name}`, 'deploy', '--prod', folder], { cwd: root })
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--prod']
  await run(pnpm, [...sbom, '--out', join(folder, 'sbom.json')], { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
}
