import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { client } from './api/client.ts';
import { router } from './app/router.tsx';
import { signInByLink } from './app/sign-in.tsx';
import { showTheme } from './app/theme.ts';
import './styles/base.css';
import './styles/parts.css';

showTheme();
await signInByLink();
const element = document.getElementById('root');
if (element) {
  createRoot(element).render(
    <StrictMode>
      <Provider value={client}>
        <RouterProvider router={router} />
      </Provider>
    </StrictMode>,
  );
}
