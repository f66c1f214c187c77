import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createClient } from 'graphql-ws';
import { createRoot } from 'react-dom/client';
import './page.css';

const wsClient = createClient({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
});
const fetcher = createGraphiQLFetcher({ url: '/graphql', wsClient });
const element = document.getElementById('root');
if (element) createRoot(element).render(<GraphiQL fetcher={fetcher} shouldPersistHeaders={false} />);
