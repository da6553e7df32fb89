const base = {
  // Node itself loads the tests and what they test, as it loads a service (libs/testing).
  runtime: '<rootDir>/libs/testing/jest/native-runtime.mjs',
  testEnvironment: '<rootDir>/libs/testing/jest/native-environment.mjs',
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/.local/'],
}

const suite = (displayName, testMatch, more = {}) => ({ ...base, displayName, testMatch, ...more })

const servers = {
  // Once, before the first file of such a suite, and only when one is selected.
  globalSetup: '<rootDir>/libs/testing/jest/setup.mjs',
  globalTeardown: '<rootDir>/libs/testing/jest/teardown.mjs',
  // Before each file.
  setupFiles: ['<rootDir>/libs/testing/jest/unordered.mjs'],
}

/** The files of such a suite share a mesh, which the setup starts. */
const sharingMesh = (name) => ({ ...servers, globalSetup: `<rootDir>/libs/testing/jest/${name}.mjs` })

/** `unit` and `guides` need no server; every other suite runs against real Postgres, Redis and Kafka (libs/testing). */
export default {
  testSequencer: '<rootDir>/libs/testing/jest/longest-first.mjs',
  // A limit for what hangs, not for what is slow: several facts may be awaited on a busy machine.
  testTimeout: 180_000,
  // A worker that is still there after so long has left something open. It writes down what Node has compiled before it ends,
  // for most of a minute beside a load of forty.
  workerGracefulExitTimeout: 120_000,
  // Modules of a test file stay in memory after it: a worker starts anew between two files before they fill the machine.
  workerIdleMemoryLimit: '1500MB',
  projects: [
    suite('unit', [
      '<rootDir>/{gateway,services,libs,deploy}/**/src/**/*.test.ts',
      '<rootDir>/{sdk/*,cli}/test/**/*.test.ts',
      '<rootDir>/tests/laws/**/*.test.ts',
    ]),
    suite('guides', ['<rootDir>/tests/guides/**/*.test.ts']),
    suite('libs', ['<rootDir>/libs/*/test/**/*.test.ts'], servers),
    suite('services', ['<rootDir>/services/*/test/**/*.test.ts'], servers),
    suite('gateway', ['<rootDir>/gateway/test/**/*.test.ts'], servers),
    suite('security', ['<rootDir>/tests/security/**/*.test.ts'], sharingMesh('security')),
    suite('journeys', ['<rootDir>/tests/journeys/**/*.test.ts'], sharingMesh('journeys')),
    suite('chaos', ['<rootDir>/tests/chaos/**/*.test.ts'], servers),
  ],
}
