import { mount } from "svelte";
import "../src/styles/index.css";
import type { TableState, Welcome } from "../src/lib/wire";
import AllCards from "./AllCards.svelte";
import Table from "./Table.svelte";

// ?table=caliente-4&at=2 shows a table; without it every card. Also: theme, four, large, plain, pick=0,1.
const asked = new URLSearchParams(location.search);
const theme = asked.get("theme");
if (theme) document.documentElement.dataset.theme = theme;

const target = document.getElementById("app")!;
const name = asked.get("table");
if (name) {
  const frames = (await (await fetch(`./fixtures/${name}.json`)).json()) as [Welcome, ...TableState[]];
  const state = frames[1 + Number(asked.get("at") ?? 2)] as TableState;
  mount(Table, { target, props: { asked, welcome: frames[0], state } });
} else {
  mount(AllCards, { target, props: { asked } });
}
