import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { processNames } from '../../images/src/processes.ts'
import { findRenderer, overlays, render } from './kustomize.ts'
import { callsOf, findGraph, type TiltCall } from './tilt-graph.ts'

const root = join(import.meta.dirname, '../../..')
const PROCESSES = processNames(root)
const program = findGraph()
if (!program) console.warn('NOT TESTED: the Tiltfile. It takes Go, and once the network')
const suite = program ? describe : describe.skip

/** The names of what Tilt would show: local resources, and workloads under the name that the Tiltfile gives them. */
const resources = (calls: readonly TiltCall[]): string[] =>
  calls
    .filter(({ call }) => call === 'local_resource' || call === 'k8s_resource')
    .map(({ args, named }) => String(named.new_name ?? args[0]))

/** What is compiled is not there until it is. */
const sourceOf = (path: string): string => path.replace(/\/dist$/, '/src')

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
    expect(watched.length).toBeGreaterThan(1)
    expect(watched.filter((path) => !existsSync(sourceOf(path)))).toEqual([])
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
  const manifests = renderer ? render(renderer, 'live') : []

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

suite('code that changes while it runs', () => {
  const LIVE = 'deploy/kubernetes/components/live/live.mjs'
  const usedBy = (folder: string): string[] =>
    Object.keys(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).dependencies ?? {})
      .filter((name) => name.startsWith('@svc/'))
      .map((name) => `libs/${name.slice('@svc/'.length)}`)
      // What the gateway shows of docs/guides is text: it comes with another image.
      .filter((one) => one !== 'libs/guides')
  const folderOf = (name: string) => (name === 'gateway' ? name : `services/${name}`)
  /** Every library that a process is made of, whoever of them brings it. */
  function librariesOf(name: string): string[] {
    const found = new Set<string>()
    const add = (folder: string): void => {
      if (found.has(folder)) return
      found.add(folder)
      usedBy(folder).forEach(add)
    }
    usedBy(folderOf(name)).forEach(add)
    return [...found]
  }

  test.each(PROCESSES)('%s: in a cluster all of it is put where its container runs it, then it starts anew', (name) => {
    const build = (program ? callsOf(program) : []).find(({ args }) => args[0] === `delivery-dispatch/${name}`)
    const updates = build?.named['live_update'] as string[]
    const own = `sync ${root}/${folderOf(name)}/dist /app/dist`
    const libraries = librariesOf(name).map((folder) => `sync ${root}/${folder}/dist /app/${folder}/dist`)
    expect(libraries.length).toBeGreaterThan(10)
    expect(updates).toEqual(expect.arrayContaining([own, ...libraries]))
    expect(updates.at(-1)).toBe('run kill -HUP 1')
    // What is watched and has no place in the container has the image made anew.
    const watched = (build?.named.deps ?? []).filter((path) => path.endsWith('/dist'))
    expect(updates.slice(0, -1).map((update) => update.split(' ')[1])).toEqual(watched)
  })

  test('without a cluster each process watches its own sources and those of the libraries', () => {
    const calls = program ? callsOf(program, ['--local']) : []
    for (const name of PROCESSES) {
      const command = String(calls.find(({ args }) => args[0] === name)?.named['serve_cmd'])
      expect(command).toContain(
        `cd ${folderOf(name)} && exec ${root}/node_modules/.bin/node ${root}/${LIVE} --watch src ${root}/libs/*/src -- `,
      )
    }
    expect(existsSync(join(root, LIVE))).toBe(true)
  })

  test('what is live runs what the image runs, and no overlay that is deployed has it', () => {
    const renderer = findRenderer()
    if (!renderer) return
    const [live, dev] = [render(renderer, 'live'), render(renderer, 'dev')]
    const names = (manifests: typeof live) =>
      new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name.replace(/-[a-z0-9]{10}$/, '')}`))
    expect([...names(live)].filter((name) => !names(dev).has(name))).toEqual(['ConfigMap live'])
    expect([...names(dev)].filter((name) => !names(live).has(name))).toEqual([])
    const dockerfile = readFileSync(join(root, 'deploy/images/Dockerfile'), 'utf8')
    const words = (instruction: string) =>
      JSON.parse(new RegExp(`^${instruction} (.+)$`, 'm').exec(dockerfile)?.[1] ?? '')
    for (const name of PROCESSES) {
      const pod = live.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)?.spec?.template
        ?.spec
      const container = pod?.containers[0]
      expect(container?.args).toEqual([...words('ENTRYPOINT'), ...words('CMD')])
      expect(pod?.initContainers?.map(({ image }) => image)).toEqual([container?.image])
      expect(container).toMatchObject({ securityContext: { readOnlyRootFilesystem: true } })
    }
    for (const overlay of overlays) expect(JSON.stringify(render(renderer, overlay))).not.toContain('live.mjs')
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
