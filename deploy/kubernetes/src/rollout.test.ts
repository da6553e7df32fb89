import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { CALLS } from '@svc/contracts/calls'
import { processNames } from '../../images/src/processes.ts'
import { findRenderer, renderText } from './kustomize.ts'

const root = join(import.meta.dirname, '../../..')
const renderer = findRenderer()
const folder = mkdtempSync(join(tmpdir(), 'rollout-'))
afterAll(() => rmSync(folder, { recursive: true }))
const overlay = join(root, 'deploy/kubernetes/overlays/minimal')
const all = join(folder, 'all.yaml')
if (renderer) writeFileSync(all, renderText(renderer, 'minimal'))

/**
 * A kubectl that has no cluster: it has rendered the overlay as the real one, writes down what it is told, with the kinds and names of what
 * is applied, and fails where the test wants it.
 */
const KUBECTL = `#!/usr/bin/env bash
if [ "$1" = kustomize ]; then [ "$2" = ${overlay} ] && exec cat ${all}; exit 1; fi
words="$*"
if [ "$1" = apply ]; then
  file="\${@: -1}"
  words="apply $(awk '/^kind: /{k=$2; n=""} /^  name: / && n=="" {n=$2; print k "/" n}' "$file" | tr '\\n' ' ')"
fi
echo "$words" >> "$CALLS"
case "$words" in
  *"get statefulsets"*) echo statefulset.apps/postgres ;;
  *"get jobs"*) for one in admin dispatch ingestion order wallet webhook; do echo "job.batch/$one-migrate"; done ;;
esac
[ -z "\${FAILS:-}" ] || [[ "$words" != *"$FAILS"* ]]
`

function rollOut(words: string[], fails = ''): { status: number | null; calls: string[] } {
  const file = join(folder, 'kubectl')
  writeFileSync(file, KUBECTL)
  chmodSync(file, 0o755)
  const log = join(folder, 'calls')
  writeFileSync(log, '')
  const { status } = spawnSync(join(root, 'deploy/kubernetes/rollout.sh'), words, {
    env: {
      ...process.env,
      PATH: `${folder}:${process.env.PATH}`,
      CALLS: log,
      FAILS: fails,
    },
    // A hanging one would hold the worker, past every limit of a test.
    timeout: 170_000,
    killSignal: 'SIGKILL',
  })
  return { status, calls: readFileSync(log, 'utf8').trim().split('\n') }
}

const deployed = (calls: readonly string[]): string[] =>
  calls.flatMap((line) => /^apply Deployment\/(\w+)\s*$/.exec(line)?.[1] ?? [])
const at = (calls: readonly string[], part: string): number => calls.findIndex((line) => line.includes(part))

/** Whether one process calls another, directly or by those that it calls. */
const reaches = (from: string, to: string, passed: readonly string[] = []): boolean =>
  (CALLS[from] ?? []).some((next) => next === to || (!passed.includes(next) && reaches(next, to, [...passed, next])))

const suite = renderer ? describe : describe.skip

suite('a rollout', () => {
  const FORWARD = ['admin', 'wallet', 'dispatch', 'webhook', 'order', 'ingestion', 'gateway']

  test('migrates every service before the first process, and replaces each after the one before it serves', () => {
    const { status, calls } = rollOut([overlay])
    expect(status).toBe(0)
    expect(deployed(calls)).toEqual(FORWARD)
    expect([...FORWARD].sort((a, b) => a.localeCompare(b))).toEqual(
      processNames(root).sort((a, b) => a.localeCompare(b)),
    )
    expect(at(calls, 'NetworkPolicy/nobody')).toBeLessThan(at(calls, 'Job/admin-migrate'))
    expect(at(calls, 'delete jobs')).toBeLessThan(at(calls, 'Job/admin-migrate'))
    const first = at(calls, 'Deployment/admin')
    for (const name of FORWARD.filter((one) => one !== 'gateway'))
      expect(at(calls, `wait job.batch/${name}-migrate`)).toBeLessThan(first)
    expect(at(calls, 'wait job.batch/admin-migrate')).toBeGreaterThan(at(calls, 'Job/admin-migrate'))
    for (const [index, name] of FORWARD.entries())
      expect(calls[first + 2 * index + 1]).toContain(`rollout status deployment/${name} `)
  })

  test('replaces a process before those that call it, unless it calls them too', () => {
    const tooLate = Object.entries(CALLS).flatMap(([caller, callees]) =>
      callees
        .filter((callee) => FORWARD.indexOf(callee) > FORWARD.indexOf(caller) && !reaches(callee, caller))
        .map((callee) => `${callee} is called by ${caller}`),
    )
    expect(tooLate).toEqual([])
  })

  test('ends where a migration fails, and replaces nothing', () => {
    const { status, calls } = rollOut([overlay], 'wait job.batch/order-migrate')
    expect(status).not.toBe(0)
    expect(deployed(calls)).toEqual([])
  })

  test('ends where the cluster does not tell which jobs there are', () => {
    const { status, calls } = rollOut([overlay], 'get jobs')
    expect(status).not.toBe(0)
    expect(deployed(calls)).toEqual([])
  })

  test('ends where a process does not come to serve', () => {
    const { status, calls } = rollOut([overlay], 'rollout status deployment/dispatch')
    expect(status).not.toBe(0)
    expect(deployed(calls)).toEqual(['admin', 'wallet', 'dispatch'])
  })

  test('back goes the other way, and migrates nothing', () => {
    const { status, calls } = rollOut([overlay, '--back'])
    expect(status).toBe(0)
    expect(deployed(calls)).toEqual([...FORWARD].reverse())
    expect(calls.filter((line) => /job/i.test(line))).toEqual([])
  })
})
