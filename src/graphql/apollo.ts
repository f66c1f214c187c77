import type { Server } from 'node:http';
import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestContext } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import { GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import type { Logger } from 'pino';
import type { Limits } from '../commands/carry-out/context.ts';
import type { ApiContext } from './context.ts';
import { formatError, noteInternalErrors } from './errors.ts';
import { assertBounded } from './input/assert-bounded.ts';
import { inputBounds } from './input/input-bounds.ts';
import type { ApiOptions } from './options.ts';
import { assertAffordable, LIMIT_RULES, QUERY_LIMITS } from './query-limits.ts';

/** The part of the API that speaks GraphQL over HTTP. */
export function createApollo(
  schema: GraphQLSchema,
  httpServer: Server,
  options: Pick<ApiOptions, 'logger' | 'onOperation' | 'limits'>,
): ApolloServer<ApiContext> {
  return new ApolloServer<ApiContext>({
    schema,
    plugins: [
      ApolloServerPluginDrainHttpServer({ httpServer }),
      ApolloServerPluginLandingPageDisabled(),
      admission(schema, options.limits),
      reporting(options),
      legacyStatus,
    ],
    validationRules: [...LIMIT_RULES],
    parseOptions: { maxTokens: QUERY_LIMITS.tokens },
    formatError,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    logger: options.logger,
  });
}

/** Lets nothing in that costs too much. Who calls is judged before, see http.ts. */
function admission(schema: GraphQLSchema, limits: Limits): ApolloServerPlugin<ApiContext> {
  const bounds = inputBounds(limits);
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ contextValue, document, operation, request }) {
          if (!operation) return;
          if (operation.operation === 'subscription') throw overSocketsOnly();
          const variables = request.variables ?? {};
          assertBounded(schema, document, operation, variables, bounds);
          assertAffordable(schema, document, operation, variables);
          contextValue.cutOff?.setDeadline(secondsFor(operation, limits));
        },
      };
    },
  };
}

/** Wall time that an operation gets. */
function secondsFor(operation: OperationDefinitionNode, limits: Limits): number {
  return rootFields(operation).includes('importHistory') ? limits.maxImportSeconds : limits.maxOperationSeconds;
}

function overSocketsOnly(): GraphQLError {
  const message =
    'subscriptions are served over graphql-ws at this address; open a WebSocket with subprotocol graphql-transport-ws';
  return new GraphQLError(message, { extensions: { code: 'SUBSCRIPTION_OVER_HTTP', http: { status: 400 } } });
}

/** A line in the log and a call to the metrics for every operation; never a token, a variable or a script. */
function reporting({
  logger,
  onOperation,
}: Pick<ApiOptions, 'logger' | 'onOperation'>): ApolloServerPlugin<ApiContext> {
  return {
    async requestDidStart() {
      const begunAt = performance.now();
      return {
        async didEncounterErrors({ errors, contextValue }) {
          noteInternalErrors(errors, contextValue.commands.requestId, logger);
        },
        async willSendResponse(request) {
          const milliseconds = performance.now() - begunAt;
          const failed = (request.errors?.length ?? 0) > 0;
          const { operationName: name, operation } = request;
          onOperation?.({ name: name ?? null, type: operation?.operation ?? null, milliseconds, failed });
          logOperation(logger, request, milliseconds);
        },
      };
    },
  };
}

function logOperation(logger: Logger, request: GraphQLRequestContext<ApiContext>, milliseconds: number): void {
  const { contextValue, errors, operation, operationName } = request;
  const { principal, commands } = contextValue;
  logger.info(
    {
      requestId: commands.requestId,
      operationName: operationName ?? null,
      operation: operation?.operation ?? null,
      fields: operation ? rootFields(operation) : [],
      tenant: principal?.tenantName ?? null,
      principal: principal?.name ?? null,
      milliseconds: Math.round(milliseconds * 10) / 10,
      errors: errors?.map(({ extensions, message }) => extensions.code ?? message) ?? [],
    },
    'graphql',
  );
}

function rootFields({ selectionSet }: OperationDefinitionNode): string[] {
  const names = selectionSet.selections.map((selection) =>
    selection.kind === Kind.FIELD ? selection.name.value : '...',
  );
  return names.slice(0, 10);
}

/**
 * A client that accepts only application/json takes every well-formed answer with status 200, errors too; that is how
 * GraphQL-over-HTTP keeps older clients working.
 */
const legacyStatus: ApolloServerPlugin<ApiContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ response, request, errors }) {
        const accepts = request.http?.headers.get('accept') ?? '';
        const isNew =
          accepts.includes('application/graphql-response+json') || accepts === '' || accepts.includes('*/*');
        const codes = errors?.map(({ extensions }) => extensions.code) ?? [];
        const isDocument = codes.some(
          (code) => code === 'GRAPHQL_PARSE_FAILED' || code === 'GRAPHQL_VALIDATION_FAILED',
        );
        if (!isNew && isDocument && response.http.status === 400) response.http.status = 200;
      },
    };
  },
};
