import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { processNames } from '../../images/src/processes.ts'
import { findRenderer, render } from './kustomize.ts'
import { callsOf, findGraph, type TiltCall } from './tilt-graph.ts'

const PROCESSES = processNames(join(import.meta.dirname, '../../..'))
const program = findGraph()
if (!program) console.warn('NOT TESTED: the Tiltfile. It takes Go, and once the network')
const suite = program ? describe : describe.skip

/** The names of what Tilt would show: local resources, and workloads under the name that the Tiltfile gives them. */
const resources = (calls: readonly TiltCall[]): string[] =>
  calls
    .filter(({ call }) => call === 'local_resource' || call === 'k8s_resource')
    .map(({ args, named }) => String(named.new_name ?? args[0]))

suite.each([
  ['a cluster', []],
  ['processes on this machine', ['--local']],
])('the Tiltfile for %s', (_, flags) => {
  const calls = program ? callsOf(program, flags) : []

  test('has each resource once, and what a resource waits for is one', () => {
    const names = resources(calls)
    expect(names.length).toBeGreaterThan(10)
    expect(new Set(names).size).toBe(names.length)
    const awaited = calls.flatMap(({ named }) => named.resource_deps ?? [])
    expect(awaited.filter((name) => !names.includes(name))).toEqual([])
  })

  test('watches what exists, and forwards a port to one resource', () => {
    const watched = calls.flatMap(({ named }) => named.deps ?? [])
    expect(watched.length).toBeGreaterThan(PROCESSES.length)
    expect(watched.filter((path) => !existsSync(path))).toEqual([])
    const ports = calls.flatMap(({ named }) => named.port_forwards ?? []).map((forward) => forward.split(':')[0])
    expect(new Set(ports).size).toBe(ports.length)
  })

  test('has every process, its logs apart, and a button for seed, replay and tests', () => {
    expect(resources(calls)).toEqual(expect.arrayContaining([...PROCESSES, 'seed', 'replay', 'unit', 'journeys']))
    for (const name of PROCESSES) {
      const found = calls.find(({ args }) => args[0] === name)
      expect([name, found?.named.labels]).toEqual([name, ['mesh']])
    }
  })
})

suite('the Tiltfile and the overlay for development', () => {
  const calls = program ? callsOf(program) : []
  const renderer = findRenderer()
  const manifests = renderer ? render(renderer, 'dev') : []

  test('each workload of the overlay has its place in it, and no other is named', () => {
    const workloads = manifests.filter(({ spec }) => spec?.template).map(({ metadata }) => metadata.name)
    const placed = calls
      .filter(({ call, named }) => call === 'k8s_resource' && !named.objects)
      .map(({ args }) => args[0])
    if (renderer) expect(new Set(placed)).toEqual(new Set(workloads))
  })

  test('each image is built of its own process', () => {
    const builds = calls.filter(({ call }) => call === 'custom_build')
    expect(new Set(builds.map(({ args }) => args[0]))).toEqual(
      new Set(PROCESSES.map((name) => `delivery-dispatch/${name}`)),
    )
    for (const { args } of builds) {
      const name = String(args[0]).split('/')[1]
      expect(args[1]).toContain(`PROCESS=${name} `)
    }
  })

  test('a forwarded port is one that the workload listens on', () => {
    for (const { args, named } of calls.filter(({ call }) => call === 'k8s_resource'))
      for (const forward of named.port_forwards ?? []) {
        const workload = manifests.find(({ metadata, spec }) => metadata.name === args[0] && spec?.template)
        const ports = workload?.spec?.template?.spec.containers.flatMap((one) => one.ports ?? []) ?? []
        if (renderer) expect(ports.map(({ containerPort }) => containerPort)).toContain(Number(forward.split(':')[1]))
      }
  })
})

suite('the check', () => {
  test('a name that nobody defined is found, with its place', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiltfile-'))
    try {
      writeFileSync(join(folder, 'Tiltfile'), "local_resource('a', cmd = 'true')\nk8s_yamls('b')\n")
      const { status, stderr } = spawnSync(program ?? 'false', [join(folder, 'Tiltfile')], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([1, expect.stringContaining('Tiltfile:2:1: undefined: k8s_yamls')])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
