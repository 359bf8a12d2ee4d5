import { createRoot } from 'react-dom/client';
import 'slack-blocks-to-jsx/dist/style.css';
import { App } from './app.js';
import './style.css';

const place = document.getElementById('page');
if (place === null) throw new Error('The page has no place to be drawn.');
createRoot(place).render(<App />);
