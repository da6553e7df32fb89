/** Two names that differ in their case alone, of which both are in the contract: languages with one case need another word, and Go a capital. */
export const TWINS = ['isTest=IsTestTwin', 'kybStatus=KybStatusTwin']

/** All but the calls of webhooks: the generator gives their parameters no type in Python, and it is we who make these calls. */
export const PARTS = 'apis,models,supportingFiles'
