const inJson = (schema: object) => ({ content: { 'application/json': { schema } } })

/** An API with one of each that clients rely on. */
export const sample = {
  paths: {
    '/v1/orders': {
      post: {
        operationId: 'placeOrder',
        summary: 'Place an order',
        security: [{ key: [] }, { token: [] }] as object[],
        parameters: [
          { $ref: '#/components/parameters/Key' },
          { in: 'query', name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
        ],
        requestBody: { required: false, ...inJson({ $ref: '#/components/schemas/NewOrder' }) },
        responses: {
          201: {
            ...inJson({
              type: 'object',
              properties: { order: { $ref: '#/components/schemas/Order' } },
              required: ['order'],
            }),
            headers: { Location: {} },
          },
          400: { description: 'refused' },
        } as Record<string, object>,
      },
    },
  },
  webhooks: {
    'order.created': {
      post: {
        parameters: [{ in: 'header', name: 'X-Service-Signature', required: true, schema: { type: 'string' } }],
        requestBody: inJson({ $ref: '#/components/schemas/Order' }),
        responses: { '2XX': {} },
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      token: { type: 'http', scheme: 'bearer' },
    },
    parameters: { Key: { in: 'header', name: 'Idempotency-Key', required: false, schema: { type: 'string' } } },
    schemas: {
      Error: {
        type: 'object',
        properties: { error: { type: 'string' } } as Record<string, object>,
        required: ['error'],
      },
      NewOrder: {
        type: 'object',
        properties: {
          source: { type: 'string', enum: ['api', 'shop'] },
          note: { anyOf: [{ type: 'string', maxLength: 500 }, { type: 'null' }] },
          weight: { type: 'number' },
          meta: { type: 'object', additionalProperties: {} },
          codes: { type: 'array' },
          items: {
            type: 'array',
            items: { type: 'object', properties: { name: { type: 'string' } }, required: [] as string[] },
          },
        } as Record<string, object>,
        required: ['source'],
      },
      Order: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] },
          status: { type: 'string', enum: ['pending', 'done'] },
          rating: { type: 'null' },
          of: { anyOf: [{ $ref: '#/components/schemas/Order' }, { type: 'null' }] },
          tags: { type: 'array', items: { type: 'string' } },
          sums: { type: 'object', additionalProperties: { type: 'integer' } },
        } as Record<string, object>,
        required: ['id'],
      },
    },
  },
}
