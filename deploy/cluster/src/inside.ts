// Runs in namespaces of its own (isolation.ts): starts a cluster of one node, has a program look at it, ends it.
//   inside.ts FOLDER DEVKUBE COREDNS journey|reload|keep PROGRAM [WORD ...]
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fetchKafkaJars, fetchKafkaTools } from '@svc/servers'
import { writeProcessImages } from '../../images/src/process-images.ts'
import { processNames } from '../../images/src/processes.ts'
import { startApiServer } from './api-server.ts'
import { environmentOf } from './kubectl.ts'
import { makeNetwork, startContainerd, startNode } from './node.ts'
import { root } from './programs.ts'
import { writeServerImages } from './server-images.ts'
import { writeSystemImages } from './system-images.ts'

const ADDRESS = '10.84.0.1'
const [folder = '', devkube = '', coredns = '', mode = '', ...command] = process.argv.slice(2)
/** By which Tilt changes a container. */
const tools = mode === 'journey' ? [] : ['/bin/sh', '/bin/tar']
const since = performance.now()
const tell = (what: string) => console.log(`${((performance.now() - since) / 1_000).toFixed(1)} s: ${what}`)

makeNetwork(ADDRESS)
const [system, servers, processes] = ['system', 'servers', 'processes'].map((name) => join(folder, `${name}.tar`)) as [
  string,
  string,
  string,
]
await writeSystemImages(system, coredns)
const cache = join(root, '.local/cache')
await writeServerImages(servers, [await fetchKafkaJars(cache, tell), await fetchKafkaTools(cache, tell)])
await writeProcessImages(join(root, '.local/build'), processNames(root), processes, tools)
tell('images are made')
const containerd = await startContainerd(folder, [system, servers, processes])
tell('containerd has its images')
const server = await startApiServer({ devkube, folder, address: ADDRESS })
tell('the API server is ready')
await startNode(server, folder, containerd)
tell('the node takes pods')

await server.kubectl('apply', '-f', join(import.meta.dirname, '../coredns/coredns.yaml'))
await server.kubectl('rollout', 'status', 'deployment/coredns', '--namespace=kube-system', '--timeout=120s')
tell('names are looked up')

const bin = join(folder, 'bin')
mkdirSync(bin)
symlinkSync(devkube, join(bin, 'kubectl'))
const [program = '', ...words] = command
const { status } = spawnSync(program, words, {
  stdio: 'inherit',
  env: { ...process.env, ...environmentOf(folder) },
})
// The kernel ends containers and their mounts with this process.
await server.stop()
await containerd.child.stop()
process.exitCode = status ?? 1
