// Plain JavaScript: the bootstrap runs this under the machine's own Node before anything is installed.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const KAFKA_VERSION = '4.3.1'

const DEBIAN_PACKAGES = {
  postgres: 'postgresql-15-postgis-3',
  redis: 'redis-server',
  java: 'openjdk-17-jre-headless',
  maven: 'maven',
  promtool: 'prometheus',
}

/** The Debian package of each program that a node of a cluster is made with. */
const NODE_PACKAGES = {
  containerd: 'containerd',
  runc: 'runc',
  iptables: 'iptables',
  conntrack: 'conntrack',
  ip: 'iproute2',
  openssl: 'openssl',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
}

/** The folder of initdb and postgres of the newest Debian PostgreSQL that has PostGIS. */
export function postgresBinFolder() {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const usable = versions.filter(
    (version) =>
      existsSync(`/usr/lib/postgresql/${version}/bin/postgres`) &&
      existsSync(`/usr/share/postgresql/${version}/extension/postgis.control`),
  )
  const newest = usable.sort((a, b) => Number(b) - Number(a))[0]
  return newest && `/usr/lib/postgresql/${newest}/bin`
}

/** The full path of a program, or undefined. */
export function programPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {}
  }
  return undefined
}

/** The Debian packages that running these servers natively, or trying the alerts, still needs. */
export function missingPackages({
  postgres = true,
  redis = true,
  kafka = true,
  promtool = false,
  node = false,
  kafkaJarsFolder,
}) {
  const missing = []
  if (postgres && !postgresBinFolder()) missing.push(DEBIAN_PACKAGES.postgres)
  if (redis && !programPath('redis-server')) missing.push(DEBIAN_PACKAGES.redis)
  if (kafka && javaMajorVersion() < 17) missing.push(DEBIAN_PACKAGES.java)
  if (kafka && !existsSync(kafkaJarsFolder) && !programPath('mvn')) missing.push(DEBIAN_PACKAGES.maven)
  if (promtool && !programPath('promtool')) missing.push(DEBIAN_PACKAGES.promtool)
  if (node)
    for (const [program, debian] of Object.entries(NODE_PACKAGES))
      if (!(program.startsWith('/') ? existsSync(program) : programPath(program))) missing.push(debian)
  return missing
}

/** Whether a Docker engine answers and already holds every image. */
export function dockerHas(images) {
  if (!programPath('docker')) return false
  try {
    execFileSync('docker', ['image', 'inspect', ...images], { stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    return false
  }
}

/** The images of the containers for tests; each name can be replaced by a variable. */
export function testImages(env = process.env) {
  return {
    postgres: env.TEST_POSTGRES_IMAGE || 'postgis/postgis:15-3.4',
    redis: env.TEST_REDIS_IMAGE || 'redis:7.0',
    kafka: env.TEST_KAFKA_IMAGE || `apache/kafka:${KAFKA_VERSION}`,
  }
}

function javaMajorVersion() {
  if (!programPath('java')) return 0
  const output = execFileSync('java', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return Number(/\s(\d+)[.\s]/.exec(output)?.[1] ?? 0)
}
