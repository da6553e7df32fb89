import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'
import { testImages } from '../native.mjs'
import { allOrNone } from './all-or-none.ts'
import { freePort } from './free-port.ts'
import type { ServerAddresses } from './native-servers.ts'

/** Starts the three servers as containers from images that the engine already holds. */
export async function startContainers(password: string): Promise<ServerAddresses & { stop(): Promise<void> }> {
  // The caller stops the containers, also when the tests die; Ryuk's own image need not be there.
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'
  const images = testImages()
  const kafkaPort = await freePort()
  const running: StartedTestContainer[] = []
  const stop = async () => {
    await Promise.all(running.map((container) => container.stop()))
  }
  const start = async (container: GenericContainer) => {
    const started = await container.start()
    running.push(started)
    return started
  }
  const redisContainer = new GenericContainer(images.redis)
    .withExposedPorts(6379)
    .withCommand(['redis-server', '--save', '', '--appendonly', 'no'])
  const [postgres, redis, kafka] = await allOrNone(
    [
      start(postgresContainer(images.postgres, password)),
      start(redisContainer),
      start(kafkaContainer(images.kafka, kafkaPort)),
    ],
    stop,
  )
  return {
    databaseAdminUrl: `postgres://postgres:${password}@${postgres.getHost()}:${postgres.getMappedPort(5432)}/postgres`,
    redisUrl: `redis://${redis.getHost()}:${redis.getMappedPort(6379)}`,
    kafkaBrokers: [`${kafka.getHost()}:${kafkaPort}`],
    stop,
  }
}

function postgresContainer(image: string, password: string): GenericContainer {
  return (
    new GenericContainer(image)
      .withExposedPorts(5432)
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withCommand(['postgres', '-c', 'max_connections=300', '-c', 'fsync=off'])
      // It starts once to initialise itself and again to serve.
      .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
  )
}

/** Kafka tells its clients where to connect, so its port outside is chosen before it starts. */
function kafkaContainer(image: string, port: number): GenericContainer {
  return new GenericContainer(image)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '4',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
}
