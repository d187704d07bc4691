import { mount } from "svelte";
import App from "./App.svelte";
import { startLanguage } from "./lib/i18n.svelte";
import "./styles/index.css";

const target = document.getElementById("app");
if (target) void startLanguage().then(() => mount(App, { target }));
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
