//! The searches of the server.

use crate::failure::Failure;
use crate::search::RunningSearch;
use crate::stream::number;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The searches by their numbers. The oldest one makes room for a new one.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    list: Mutex<(u64, BTreeMap<u64, Arc<RunningSearch>>)>,
}

impl Searches {
    pub(crate) fn add(&self, search: RunningSearch, most: usize) -> u64 {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, searches) = &mut *list;
        *last += 1;
        searches.insert(*last, Arc::new(search));
        while searches.len() > most.max(1) {
            searches.pop_first();
        }
        *last
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<RunningSearch>, Failure> {
        let list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let found = list.1.get(&number(id)?).cloned();
        found.ok_or_else(|| Failure::missing("the search is gone; newer ones took its place"))
    }

    pub(crate) fn remove(&self, id: &str) -> Result<(), Failure> {
        let id = number(id)?;
        self.list.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&id);
        Ok(())
    }
}
