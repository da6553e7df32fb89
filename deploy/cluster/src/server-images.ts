import { copyFileSync, existsSync, globSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { postgresBinFolder } from '@svc/servers'
import { type ImageArchive, imageArchive, librariesOf } from '../../images/src/image-archive.ts'

const SCRIPTS = resolve(import.meta.dirname, '../servers')
const SHELL = '/bin/sh'
const relative = (path: string) => path.replace(/^\//, '')
const present = (paths: readonly string[]) => paths.filter((path) => existsSync(path)).map(relative)

/**
 * Writes the images of Postgres, Redis and Kafka that the manifests name, as one archive, of this machine's own packages: no
 * registry is asked. They keep what the manifests ask of the public images, not what else these can do.
 */
export async function writeServerImages(file: string, jarFolders: readonly string[]): Promise<void> {
  const images = imageArchive(`${file}.work`)
  for (const folder of ['etc', 'tmp', 'data']) mkdirSync(join(images.folder, folder), { mode: 0o1777 })
  const users = [
    ['server', 999],
    ['kafka', 1000],
  ] as const
  writeFileSync(
    join(images.folder, 'etc/passwd'),
    users.map(([name, id]) => `${name}:x:${id}:${id}::/tmp:/bin/sh\n`).join(''),
  )
  writeFileSync(join(images.folder, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  const common = await images.layer([['-C', images.folder, '--mode=a+rwX', 'etc', 'tmp', 'data']])
  await addPostgres(images, common)
  await addRedis(images, common)
  await addKafka(images, common, jarFolders)
  images.write(file)
}

async function addPostgres(images: ImageArchive, common: string): Promise<void> {
  const bin = postgresBinFolder()
  if (!bin) throw new Error('PostgreSQL with PostGIS is not installed')
  const home = dirname(bin)
  const programs = ['postgres', 'initdb', 'pg_isready'].map((name) => join(bin, name))
  // Without what compiles queries at run time: it is a hundred megabytes, and the mesh does without.
  const modules = globSync(join(home, 'lib/*.so')).filter((path) => !path.includes('llvm'))
  const data = ['/usr/share/zoneinfo', '/usr/lib/locale/C.utf8', '/usr/share/proj', home.replace('/lib/', '/share/')]
  const layer = await images.layer([
    script(images, 'postgres.sh'),
    ['-C', '/', '--dereference', ...present([SHELL, ...programs, ...modules, ...data])],
    ['-C', '/', '--dereference', ...librariesOf([SHELL, ...programs, ...modules])],
  ])
  images.add('docker.io/postgis/postgis:15-3.3', [common, layer], {
    Entrypoint: ['/entrypoint.sh'],
    Env: [`PATH=${bin}:/bin`, 'LANG=C.UTF-8'],
  })
}

async function addRedis(images: ImageArchive, common: string): Promise<void> {
  const programs = ['/usr/bin/redis-server', '/usr/bin/redis-cli']
  const layer = await images.layer([['-C', '/', '--dereference', ...present(programs), ...librariesOf(programs)]])
  images.add('docker.io/library/redis:7.4', [common, layer], {
    WorkingDir: '/data',
    Entrypoint: ['/usr/bin/redis-server', '--protected-mode', 'no'],
    Env: ['PATH=/usr/bin'],
  })
}

async function addKafka(images: ImageArchive, common: string, jarFolders: readonly string[]): Promise<void> {
  const java = realpathSync('/usr/bin/java')
  const home = dirname(dirname(java))
  const programs = [java, SHELL, realpathSync('/usr/bin/awk'), '/usr/bin/sleep']
  const parts = globSync(join(home, 'lib/{*.so,server/*.so}'))
  const layer = await images.layer([
    script(images, 'kafka.sh'),
    script(images, 'kafka-tool.sh', 'opt/kafka/bin/kafka-acls.sh'),
    script(images, 'kafka-tool.sh', 'opt/kafka/bin/kafka-configs.sh'),
    // Its configuration is links to another folder, some of which lead nowhere.
    ['-C', '/', `--exclude=${relative(home)}/jmods`, relative(home), ...present(globSync('/etc/java-*'))],
    ['-C', '/', '--dereference', ...present([SHELL, '/usr/bin/awk', '/usr/bin/sleep'])],
    // Its own are there already, and a Docker engine takes no file twice.
    [
      '-C',
      '/',
      '--dereference',
      ...librariesOf([...programs, ...parts]).filter((path) => !path.startsWith(relative(home))),
    ],
    ...jarFolders.map((folder) => [
      '-C',
      dirname(folder),
      '--dereference',
      `--transform=s,^[^/]*,opt/kafka/libs,`,
      basename(folder),
    ]),
  ])
  images.add('docker.io/apache/kafka:4.3.1', [common, layer], {
    Entrypoint: ['/entrypoint.sh'],
    Env: [`PATH=${dirname(java)}:/usr/bin:/bin`],
  })
}

/** One of ours, as what a container starts with, or at another place. */
function script(images: ImageArchive, name: string, place = 'entrypoint.sh'): string[] {
  copyFileSync(join(SCRIPTS, name), join(images.folder, name))
  return ['-C', images.folder, `--transform=s,^${name}$,${place},`, name]
}
